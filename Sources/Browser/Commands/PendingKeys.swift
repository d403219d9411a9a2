/// The keys of a sequence typed so far.
struct PendingKeys {
    let keys: [Key]
    /// When what is bound to these keys alone is run, in seconds of a steady clock; nil if nothing is.
    let due: Double?
    /// Whether a person typed them.
    let isDeliberate: Bool
}
