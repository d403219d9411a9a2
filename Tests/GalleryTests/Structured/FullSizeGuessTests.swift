import Network
import Testing

@testable import Gallery

/// Guesses of a full picture's address.
@Suite struct FullSizeGuessTests {
    @Test(
        "known forms of thumbnails' addresses",
        arguments: [
            ("/u/photo-300x200.jpg", "/u/photo.jpg"),
            ("/u/photo-e1234567890123.jpg", "/u/photo.jpg"),
            ("/u/photo-scaled.jpg", "/u/photo.jpg"), ("/f/photo.jpg?w=300&h=200", "/f/photo.jpg"),
            ("/a/thumbs/photo.jpg", "/a/photo.jpg"), ("/a/photo_thumb.jpg", "/a/photo.jpg"),
            ("/a/thumb_photo.jpg", "/a/photo.jpg"),
            ("/a/thumbs/tn_photo.jpg", "/a/thumbs/photo.jpg"),
            ("/w/thumb/a/ab/X.jpg/220px-X.jpg", "/w/a/ab/X.jpg"),
        ])
    func forms(_ thumbnail: String, _ full: String) throws {
        let address = try #require(Address("https://photos.example" + thumbnail))
        #expect(short(FullSizeGuess.guesses(for: address).first?.address) == full)
    }

    @Test(
        "other addresses are left as they are",
        arguments: [
            "/a/photo.jpg", "/a/smallholding.jpg", "/a/photo.jpg?id=7", "/a/photo", "/thumbs/",
            "/a/2x4.jpg",
        ])
    func others(_ text: String) throws {
        let address = try #require(Address("https://photos.example" + text))
        #expect(FullSizeGuess.guesses(for: address).isEmpty)
    }

    @Test("nothing is guessed where the page named a larger size")
    func known() throws {
        let variants = try ["/a-300x200.jpg", "/b.jpg"].map {
            Picture.Variant(address: try #require(Address("https://photos.example" + $0)))
        }
        let page = variants[0].address
        #expect(
            FullSizeGuess.guesses(for: Picture(variants: variants, page: page, title: "")).isEmpty)
        var picture = Picture(variants: [variants[0]], page: page, title: "")
        #expect(FullSizeGuess.guesses(for: picture).map(\.rule) == [.name])
        picture.isFullKnown = true
        #expect(FullSizeGuess.guesses(for: picture).isEmpty)
        picture.isFullKnown = false
        picture.link = picture.image
        #expect(FullSizeGuess.guesses(for: picture).isEmpty)
        picture.link = nil
        picture.full = variants[1]
        #expect(FullSizeGuess.guesses(for: picture).isEmpty)
    }
}
