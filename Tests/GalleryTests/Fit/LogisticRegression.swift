import Foundation

/// The weights by which logistic regression tells galleries from other groups of pictures.
///
/// They maximise the likelihood of the labels, less a penalty for the squares of the weights of facts in units of their spread. Newton's
/// method; the same examples always give the same weights.
struct LogisticRegression {
    struct Example {
        let values: [Double]
        let isGallery: Bool
        /// How much it counts.
        let share: Double
    }

    private static let maxSteps = 30

    private(set) var weights: [Double]
    private(set) var constant: Double

    init(_ examples: [Example], penalty: Double) {
        let count = examples.first?.values.count ?? 0
        let spreads = (0..<count).map { fact in
            let values = examples.map { $0.values[fact] }
            let mean = values.reduce(0, +) / Double(values.count)
            let variance = values.reduce(0) { $0 + pow($1 - mean, 2) } / Double(values.count)
            return max(variance.squareRoot(), 1e-6)
        }
        let rows = examples.map { example in
            (values: zip(example.values, spreads).map { $0 / $1 } + [1], example: example)
        }
        var sums = [Double](repeating: 0, count: count + 1)
        for _ in 0..<Self.maxSteps {
            var gradient = sums.map { penalty * $0 }
            gradient[count] = 0
            var curvature = sums.indices.map { row in
                sums.indices.map { $0 == row && row < count ? penalty : 0 }
            }
            for (values, example) in rows {
                let chance = 1 / (1 + exp(-zip(sums, values).reduce(0) { $0 + $1.0 * $1.1 }))
                let miss = example.share * (chance - (example.isGallery ? 1 : 0))
                let bend = example.share * (chance * (1 - chance) + 1e-6)
                for row in sums.indices where values[row] != 0 {
                    gradient[row] += miss * values[row]
                    let factor = bend * values[row]
                    for column in sums.indices { curvature[row][column] += factor * values[column] }
                }
            }
            let step = Self.solution(of: curvature, gradient)
            sums = zip(sums, step).map { $0 - $1 }
            if step.allSatisfy({ abs($0) < 1e-6 }) { break }
        }
        weights = zip(sums, spreads).map { $0 / $1 }
        constant = sums[count]
    }

    func sum(of values: [Double]) -> Double {
        zip(weights, values).reduce(constant) { $0 + $1.0 * $1.1 }
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
