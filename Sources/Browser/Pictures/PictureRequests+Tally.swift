import Trace

extension PictureRequests {
    /// What was decided, for a trace.
    struct Tally {
        /// Pictures that wait until the reader has stopped.
        var waiting = 0
        /// Requests given up, since the start.
        var givenUp = 0
        /// Changes of urgency while waiting, since the start.
        var priorityChanges = 0

        private var writtenWaiting = 0
        private var writtenGivenUp = 0
        private var writtenChanges = 0

        /// Writes what has changed.
        mutating func write(to tracer: Tracer) {
            guard tracer.isEnabled else { return }
            if waiting != writtenWaiting { tracer.count("settling", waiting) }
            if givenUp != writtenGivenUp { tracer.count("given up", givenUp) }
            if priorityChanges != writtenChanges {
                tracer.count("priority changes", priorityChanges)
            }
            (writtenWaiting, writtenGivenUp, writtenChanges) = (waiting, givenUp, priorityChanges)
        }
    }
}
