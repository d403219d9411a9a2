import Network
import Testing

@testable import Gallery

/// Guesses of a full picture's address.
@Suite struct FullSizeGuessTests {
    @Test(
        "known thumbnail address patterns yield the full size",
        arguments: [
            ("/u/photo-300x200.jpg", "/u/photo.jpg"),
            ("/u/photo-e1234567890123.jpg", "/u/photo.jpg"),
            ("/u/photo-scaled.jpg", "/u/photo.jpg"), ("/f/photo.jpg?w=300&h=200", "/f/photo.jpg"),
            ("/a/thumbs/photo.jpg", "/a/photo.jpg"), ("/a/photo_thumb.jpg", "/a/photo.jpg"),
            ("/a/thumb_photo.jpg", "/a/photo.jpg"),
            ("/a/thumbs/tn_photo.jpg", "/a/thumbs/photo.jpg"),
            ("/w/thumb/a/ab/X.jpg/220px-X.jpg", "/w/a/ab/X.jpg"),
            // A shop's address, whose version is kept.
            ("/f/shoe.jpg?v=17&width=300", "/f/shoe.jpg?v=17"), ("/f/shoe_300x.jpg", "/f/shoe.jpg"),
            ("/f/shoe_x300_crop_center@2x.jpg", "/f/shoe.jpg"),
            // Resizing servers with the size in a path component.
            ("/acct/image/upload/w_300,c_fill,g_auto/v7/a/photo", "/acct/image/upload/v7/a/photo"),
            ("/acct/image/upload/c_fill,h_200/v7/photo.jpg", "/acct/image/upload/v7/photo.jpg"),
            ("/img/b/R29/AVvX/s320/photo.jpg", "/img/b/R29/AVvX/s0/photo.jpg"),
            ("/img/b/R29/w400-h300-c/photo", "/img/b/R29/s0/photo"),
            ("/AF1QipN=w300-h200-no", "/AF1QipN=s0"), ("/pw/AP1=s220-c", "/pw/AP1=s0"),
            ("/unsafe/300x200/2020/photo.jpg", "/unsafe/2020/photo.jpg"),
            ("/media/7c~mv2.jpg/v1/fill/w_300,h_200,q_80/pier.jpg", "/media/7c~mv2.jpg"),
        ])
    func forms(_ thumbnail: String, _ full: String) throws {
        let address = try #require(Address("https://photos.example" + thumbnail))
        #expect(short(FullSizeGuess.guesses(for: address).first?.address) == full)
    }

    @Test(
        "other addresses are left unchanged",
        arguments: [
            "/a/photo.jpg", "/a/smallholding.jpg", "/a/photo.jpg?id=7", "/a/photo", "/thumbs/",
            "/a/2x4.jpg", "/f/photo.jpg?w=300&sig=7f2c", "/f/photo.jpg?w=300&X-Amz-Signature=7f2c",
            "/s/photo.jpg", "/v1/photo.jpg", "/w_300/", "/x=5", "/1920x/photo.jpg",
        ])
    func others(_ text: String) throws {
        let address = try #require(Address("https://photos.example" + text))
        #expect(FullSizeGuess.guesses(for: address).isEmpty)
    }

    @Test("nothing is guessed if the page names a larger size")
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
