import Foundation

@testable import Gallery

/// Weights by which logistic regression tells the pictures of galleries from others.
///
/// The weights maximise the likelihood of the labels, less a penalty for their distance from known weights: a sign that few pages have
/// keeps its weight. Newton's method with line search; the same examples always give the same weights.
struct LogisticRegression {
    /// The points that multiply the odds by e.
    private static let pointsPerLogit = 20.0
    private static let maxSteps = 100

    private(set) var weights: [Double]

    /// - Parameters:
    ///   - pages: the examples of each page; each page counts equally, however many candidates it has.
    ///   - known: the weights to stay close to.
    ///   - penalty: how close, in pages for each squared logit.
    init(_ pages: [[LabelledPage.Example]], near known: Weights, penalty: Double) {
        let known = Sign.allCases.map { Double(known[$0]) / Self.pointsPerLogit }
        weights = known
        let examples = pages.flatMap { page in
            page.map {
                (
                    signs: $0.signs.map(\.rawValue), isPicture: $0.isPicture,
                    share: 1 / Double(page.count)
                )
            }
        }
        func loss(_ weights: [Double]) -> Double {
            let misfit = examples.reduce(0) { sum, example in
                let logit = example.signs.reduce(0) { $0 + weights[$1] }
                let surprise = example.isPicture ? -logit : logit
                return sum + example.share * (max(surprise, 0) + log1p(exp(-abs(surprise))))
            }
            return zip(weights, known).reduce(misfit) { $0 + penalty / 2 * pow($1.0 - $1.1, 2) }
        }
        var current = loss(weights)
        for _ in 0..<Self.maxSteps {
            var gradient = zip(weights, known).map { penalty * ($0 - $1) }
            var curvature = (0..<weights.count).map { row in
                weights.indices.map { $0 == row ? penalty : 0 }
            }
            for example in examples {
                let logit = example.signs.reduce(0) { $0 + weights[$1] }
                let chance = 1 / (1 + exp(-logit))
                for row in example.signs {
                    gradient[row] += example.share * (chance - (example.isPicture ? 1 : 0))
                    for column in example.signs {
                        curvature[row][column] += example.share * chance * (1 - chance)
                    }
                }
            }
            let step = Self.solution(of: curvature, gradient)
            var length = 1.0
            var next = weights
            repeat {
                next = zip(weights, step).map { $0 - length * $1 }
                length /= 2
            } while loss(next) > current && length > 1e-6
            let reached = loss(next)
            guard current - reached > 1e-9 else { break }
            (weights, current) = (next, reached)
        }
    }

    /// The weights in steps of 5 points.
    var points: [Sign: Int] {
        Dictionary(
            uniqueKeysWithValues: zip(Sign.allCases, weights).map { sign, weight in
                (sign, Int((weight * Self.pointsPerLogit / 5).rounded()) * 5)
            })
    }

    /// Solves linear equations by Gaussian elimination; the matrix is positive definite.
    private static func solution(of matrix: [[Double]], _ right: [Double]) -> [Double] {
        var rows = zip(matrix, right).map { $0 + [$1] }
        let count = right.count
        for pivot in 0..<count {
            for row in pivot + 1..<count where rows[row][pivot] != 0 {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in pivot...count { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        var values = right
        for row in (0..<count).reversed() {
            let known = (row + 1..<count).reduce(0) { $0 + rows[row][$1] * values[$1] }
            values[row] = (rows[row][count] - known) / rows[row][row]
        }
        return values
    }
}
