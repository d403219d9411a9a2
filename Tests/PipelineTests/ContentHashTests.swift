import Dispatch
import TestSupport
import Testing

@testable import Pipeline

@Suite struct ContentHashTests {
    @Test("the hash is SHA-256, as in the examples of FIPS 180-4")
    func examples() {
        #expect(
            ContentHash(of: Array("abc".utf8)).text
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            ContentHash(of: []).text
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test("a hash's text is read back, and nothing else is accepted")
    func text() {
        let hash = ContentHash(of: [1, 2, 3])
        #expect(ContentHash(text: hash.text) == hash)
        for text in [
            "", "abc", hash.text + "0", String(hash.text.dropLast()) + "G", hash.text.uppercased(),
        ] {
            #expect(ContentHash(text: text) == nil)
        }
    }

    @Test(
        "base64 follows RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func base64(plain: String, coded: String) {
        #expect(Array(plain.utf8).base64 == Array(coded.utf8))
        #expect(([0xFB, 0xFF] as [UInt8]).base64 == Array("+/8=".utf8))
    }

    @Test("a lazy hash is computed on demand, then reused")
    func lazy() {
        let lazy = LazyContentHash(of: [1, 2, 3])
        #expect(lazy.known == nil)
        #expect(lazy.value == ContentHash(of: [1, 2, 3]))
        #expect(lazy.known == lazy.value)
        #expect(LazyContentHash(lazy.value).known == lazy.value)
    }

    @Test("a hash is looked up without waiting for the thread that computes it")
    func unknownMeanwhile() {
        let begun = DispatchSemaphore(value: 0)
        let isLookedUp = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let lazy = LazyContentHash {
            begun.signal()
            // The limit only matters if the look-up waits, which fails the test.
            #expect(isLookedUp.wait(timeout: .testDeadline) == .success)
            return ContentHash(of: [1])
        }
        DispatchQueue(label: "test.hash").async {
            #expect(lazy.value == ContentHash(of: [1]))
            done.signal()
        }
        begun.wait()
        #expect(lazy.known == nil)
        isLookedUp.signal()
        done.wait()
        #expect(lazy.known == ContentHash(of: [1]))
    }
}
