extension RandomAccessCollection {
    /// Returns the first index whose element satisfies `belongsInSecondPartition`, or `endIndex`.
    ///
    /// Binary search, O(log count); the collection must already be partitioned by the predicate.
    @inlinable public func partitioningIndex(
        where belongsInSecondPartition: (Element) throws -> Bool
    ) rethrows -> Index {
        var low = startIndex
        var count = self.count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if try belongsInSecondPartition(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}

extension Array where Element: Comparable {
    /// Inserts `element` into a sorted array.
    public mutating func insertSorted(_ element: Element) {
        insert(element, at: partitioningIndex { $0 >= element })
    }

    /// Removes `element`, if present, from a sorted array without duplicates.
    public mutating func removeSorted(_ element: Element) {
        let index = partitioningIndex { $0 >= element }
        if index < count, self[index] == element { remove(at: index) }
    }
}
