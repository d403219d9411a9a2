import Dispatch
public import Pipeline

extension PipelineActor {
    private static let isOnQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        return key
    }()

    /// Runs `work` on the pipeline's queue and waits for it; at once if the caller runs there already.
    public static func confined<Output: Sendable>(
        _ work: @PipelineActor () -> Output
    ) -> Output {
        if DispatchQueue.getSpecific(key: isOnQueue) == true { return assumeIsolated(work) }
        return queue.sync { assumeIsolated(work) }
    }

    /// Waits for everything requested so far, and for its consequences in `hops` further turns of the queue.
    public static func settle(hops: Int = 8) {
        for _ in 0..<hops { queue.sync {} }
    }
}
