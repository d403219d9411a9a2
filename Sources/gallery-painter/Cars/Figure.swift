/// A person made of limbs: mechanics, marshals, winners.
struct Figure {
    /// What the person does; the person looks along x.
    enum Pose {
        case standing
        case crouching
        case cheering
        case pushing
        /// One arm up, a bottle in the hand.
        case toasting
    }

    var pose: Pose
    var suit: Ink
    var helmet: Ink
    var skin = Ink(0xD8A078)

    /// The person, feet at the origin.
    func model() -> Model {
        var model = Model()
        let coat = Coat(suit, gloss: 0.1)
        let joints = pose.joints
        model.add(.tube([joints.hip, joints.hip.mix(joints.neck, 0.5), joints.neck], 0.17), coat)
        model.add(.sphere(joints.neck - Vec(0, 0.03, 0), Vec(0.19, 0.12, 0.24)), coat)
        model.add(.sphere(joints.hip, Vec(0.18, 0.16, 0.2)), coat)
        limb(
            &model, [joints.neck + Vec(0, -0.05, 0.2), joints.elbows.0, joints.hands.0], 0.065, coat
        )
        limb(
            &model, [joints.neck + Vec(0, -0.05, -0.2), joints.elbows.1, joints.hands.1], 0.065,
            coat)
        limb(&model, [joints.hip + Vec(0, 0, 0.1), joints.knees.0, joints.feet.0], 0.09, coat)
        limb(&model, [joints.hip + Vec(0, 0, -0.1), joints.knees.1, joints.feet.1], 0.09, coat)
        for hand in [joints.hands.0, joints.hands.1] {
            model.add(.sphere(hand, Vec(0.07, 0.07, 0.07)), Coat(skin))
        }
        for foot in [joints.feet.0, joints.feet.1] {
            model.add(.sphere(foot + Vec(0.06, 0.04, 0), Vec(0.16, 0.06, 0.07)), .carbon)
        }
        addHead(&model, joints.neck + (joints.neck - joints.hip).unit * 0.26)
        if pose == .toasting {
            let hand = joints.hands.0
            model.add(
                .tube([hand, hand + Vec(0.05, 0.2, 0.02), hand + Vec(0.07, 0.34, 0.03)], 0.05),
                Coat(Ink(0x1E6A3A), gloss: 0.6))
        }
        return model
    }

    private func limb(_ model: inout Model, _ joints: [Vec], _ radius: Double, _ coat: Coat) {
        model.add(.tube(joints, radius), coat)
        for joint in joints { model.add(.sphere(joint, Vec(radius, radius, radius) * 1.05), coat) }
    }

    private func addHead(_ model: inout Model, _ head: Vec) {
        let (helmet, skin) = (helmet, skin)
        let coat = Coat(gloss: 0.3) { position, normal in
            normal.x > 0.35 && position.y < head.y + 0.05 ? skin : helmet
        }
        model.add(.sphere(head, Vec(0.14, 0.16, 0.13)), coat)
    }
}

extension Vec {
    /// A part of the way to `other`.
    func mix(_ other: Vec, _ part: Double) -> Vec { self + (other - self) * part }
}

extension Figure {
    /// Where the joints are, metres; pairs are right and left.
    struct Joints {
        var hip: Vec
        var neck: Vec
        var elbows: (Vec, Vec)
        var hands: (Vec, Vec)
        var knees: (Vec, Vec)
        var feet: (Vec, Vec)
    }
}

extension Figure.Pose {
    var joints: Figure.Joints {
        switch self {
        case .standing:
            return upright(
                elbows: (Vec(-0.05, 1.15, 0.34), Vec(-0.05, 1.15, -0.34)),
                hands: (Vec(0.14, 1.0, 0.22), Vec(0.14, 1.0, -0.22)))
        case .cheering:
            return upright(
                elbows: (Vec(0, 1.62, 0.45), Vec(0, 1.62, -0.45)),
                hands: (Vec(0.05, 2.0, 0.5), Vec(0.05, 2.0, -0.5)))
        case .toasting:
            return upright(
                elbows: (Vec(0.1, 1.65, 0.42), Vec(0, 1.15, -0.36)),
                hands: (Vec(0.15, 2.0, 0.45), Vec(0.1, 1.0, -0.42)))
        case .crouching:
            return Figure.Joints(
                hip: Vec(-0.3, 0.5, 0), neck: Vec(0.02, 0.98, 0),
                elbows: (Vec(0.25, 0.75, 0.3), Vec(0.25, 0.75, -0.3)),
                hands: (Vec(0.55, 0.6, 0.16), Vec(0.55, 0.6, -0.16)),
                knees: (Vec(0.12, 0.52, 0.2), Vec(0, 0.1, -0.2)),
                feet: (Vec(0, 0.05, 0.22), Vec(-0.45, 0.08, -0.2)))
        case .pushing:
            return Figure.Joints(
                hip: Vec(-0.25, 0.9, 0), neck: Vec(0.2, 1.3, 0),
                elbows: (Vec(0.42, 1.05, 0.3), Vec(0.42, 1.05, -0.3)),
                hands: (Vec(0.72, 0.98, 0.26), Vec(0.72, 0.98, -0.26)),
                knees: (Vec(0.05, 0.5, 0.14), Vec(-0.5, 0.5, -0.14)),
                feet: (Vec(-0.1, 0.05, 0.14), Vec(-0.9, 0.08, -0.14)))
        }
    }

    private func upright(elbows: (Vec, Vec), hands: (Vec, Vec)) -> Figure.Joints {
        Figure.Joints(
            hip: Vec(0, 0.92, 0), neck: Vec(0, 1.46, 0), elbows: elbows, hands: hands,
            knees: (Vec(0.04, 0.48, 0.14), Vec(0.02, 0.48, -0.14)),
            feet: (Vec(0, 0.05, 0.18), Vec(0, 0.05, -0.18)))
    }
}
