/// A tile of thresholds without low frequencies: neighbours differ strongly, and no pattern is visible.
struct BlueNoise: Sendable {
    /// The width and height of the tile, large enough that its repetition is invisible.
    static let side = 32
    static let tile = BlueNoise()

    /// Offsets in row-major order, −½…½, each value once.
    let offsets = stride(from: 0, to: ranks.count, by: 2).map { place in
        let rank = ranks[place] << 5 | ranks[place + 1]
        return (Float(rank) + 0.5) / Float(side * side) - 0.5
    }

    /// The offset at a pixel of the infinitely tiled plane.
    subscript(x: Int, y: Int) -> Float {
        offsets[(y & (Self.side - 1)) &* Self.side &+ (x & (Self.side - 1))]
    }

    /// Returns three offsets for red, green and blue, from distant positions in the tile so that hues are mixed too.
    func color(_ x: Int, _ y: Int) -> ColorVector {
        SIMD4(self[x, y], self[x &+ 11, y &+ 19], self[x &+ 22, y &+ 6], 0)
    }

    /// The ranks of the points, each as two digits in base 32, in row-major order.
    ///
    /// Generated with the void-and-cluster method (R. Ulichney, "The void-and-cluster method for dither array generation", 1993) with a
    /// Gaussian of 1.5 pixels on a torus, starting from a tenth of the points laid out by the golden ratio.
    private static let ranks: [Int] = """
        bhq7m1dppb90rol72ffhp2lqth32phmvuvid2kmdguq4baobkptl0b84uma2lle5
        4h7ou72c6gvagnatsl7abv1gjg75hm9h0ie6rm93vu7740hl52cqmcgqdkik1dti
        kneqo6ilbrms0j5snlicvr9kofe042r2m06tjsca1hffn2ui9nqi6nsn2ani6vpk
        hn00ap51suecjnqge126lg59ggu1kmbifbu638o2sojid80sk2fp3ip0aqvsft9f
        r3tplaq8ge3l9lup7lh4ruclqc0q7ssa4up38lgs5q9sor7grdbsljhs5rkfcn3p
        6cdf289772oolvbu48ol8t30jvaunahe1rj4d1m5r13tt9hf2gv88meaq02es8n3
        gjoujouahrsm1cfntdmhdqubg25vuuduq6aovd08f4bml5eho858mn0otv7mioab
        v64bb0ek2qchj66rk905ia76p8lc3q8fku63ne7uimul226hb7irr8a5gmculu14
        nr7rrsmu5toarkacpo5db1s31ocvr5gvsh2sg5qe4mmp9dputrfr43k6o43bsjf5
        bqhv1kkivv8dgh35divfnff0jb9bn50kc6jmtna0d4sdgik10g83dmv16apr9155
        l9qnda9rf30hmfspkvh57j3utt54fgvt70pee712l26b3ec3o5s6me1tbdg0jhtf
        2r6qu24oi6q2c14s9413rfmacgpmk8ahi14j8inth9p6vles5kgt9iijrqn10ae2
        plganulks46ljluqfuoqbbi82t81t02bnjrrk7u433ae7tm4qo2lujdd468avjan
        ig8r10ce34akoc24d6jr64v3f8odd966g1bk1ff2cfs0hk17b9ja6jleoshh5fm2
        3ouofek4t7ephj82qmt1299elo09j3q5m7v55nispv47kdtunbe9t20vbpr4ebsk
        beov65qj925bucls4aagmrgprcb5t88o25a9l87in89mfj6u3m9apsgl8nkg1j7h
        j5dsm82hi4n415c0iqempq7d53ef3vi2f6qsdesi04vbd0oirgip4vmg39ugfsn6
        q906a7vicrqtgdon6pvp0pi5tql3oeur56nn31fvht5im31mg9bgvndlp4afri4e
        8vs5g3jc7c4c9cst2vkqdbnva11pc57ejdbcue8qkjquadte89l40e7nih61cshg
        l050ns23lhu0f9jjb8re8g3rjtsgfqqd0lli69pfc93getj92is2ndejtmlp2jv4
        74c7tjedpgbn0fn05hohh7une35mmj98hir9eg21mku56mnpckh85lpn1v9pomeo
        sqif3h9968inrt86ei1sc271q1hu2pvmcd4gtaj187h1pt4dv29jk3blgrraje0n
        aippfmmiv94kgbp7uskesclt07b4s16io3gka4opdt0db6ldfkqp3at64t80d7nh
        5jkh1nqqamkscp2oa6ho4995ojj7evka11lf733dvcjps78u1l7fmbdvo1vg3nh0
        8etcct7bi30ut5mm6eqldhg6t43k8cpidnu3qac4mo62eni9t3p1h301iu9tktrl
        eenq41g4sfno8hfdj216ud60mqciut4raj2df7hp8kqv2nnc5ccoaato6dfip51a
        jf9uv0l15edr3jvobfo7kka81ei7lbg7r6j85gsv18kodc9gvqk045lmqf2mbtu8
        6ohd0cpcb2rhk5p94p85gorppd7ps920nk96lnokasukhaq30rforjdg8sibmt4n
        lrrvf17qie279qh6e8sr2ucbfc4fb3e46kvhcc44eu7936m9bo7ko91qv7erssar
        d33cn7c8ufm66stk03juml6fveo0krtbi01bg8qrivnmsb5ujku9hb5okl780mpa
        jqvk67r74ifaqbngbj8pqkhc0tit883fqhl67vts029od5gcpj3saln9cmrbgf8b
        hq199vh2kb1id25aiiuh4ldoa3rncjfl5pavotdj57kctg1u8jelr0j037og4qse
        """.compactMap { Int(String($0), radix: 32) }
}
