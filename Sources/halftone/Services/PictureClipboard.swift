import Basics
import Browser
import Dispatch
import Gallery
import Glibc
import ImageCodecs
import Network
import Pipeline

/// The clipboard of this machine's display, by wl-copy or xclip.
struct PictureClipboard: PictureCopying {
    private let fetcher: FetchStage
    /// The program that copies what it reads, before the media type; empty without a display.
    private let copier: [String]

    /// Kitty and Ghostty take no more.
    private static let maxBytes = 32 << 20

    init(fetcher: FetchStage, variables: [String: String]) {
        self.fetcher = fetcher
        copier =
            if variables["WAYLAND_DISPLAY"]?.isEmpty == false {
                ["wl-copy", "--type"]
            } else if variables["DISPLAY"]?.isEmpty == false {
                ["xclip", "-selection", "clipboard", "-t"]
            } else {
                []
            }
    }

    func copy(
        _ picture: Picture, forTerminal: Bool,
        completion: @escaping Receiver<Result<(bytes: [UInt8], mediaType: String)?, CopyError>>
    ) {
        _ = fetcher.fetch(
            Request(picture.largest, for: .picture, referer: picture.largestReferer),
            priority: .urgent
        ) { result in
            DispatchQueue.userInitiated.asyncGuarded {
                completion(
                    Result { () throws(CopyError) in
                        let file = try result.mapError { CopyError($0.description) }.get().body
                        guard let type = ImageFormat(sniffing: file)?.mediaType else {
                            throw CopyError("this is no picture")
                        }
                        if file.count > Self.maxBytes { throw CopyError("more than 32 MB") }
                        if forTerminal { return (file, type) }
                        if let failure = copyHere(file, type) { throw CopyError(failure) }
                        return nil
                    })
            }
        }
    }

    /// Copies a file to the display's clipboard; blocks until that has it, and returns a one-line reason on failure.
    private func copyHere(_ file: [UInt8], _ mediaType: String) -> String? {
        guard !copier.isEmpty else { return "this needs a display, kitty or Ghostty" }
        guard let input = OpenFile(temporaryIn: temporaryFolder),
            writeAll(file, to: input.descriptor) == 0
        else { return systemReason(errno) }
        lseek(input.descriptor, 0, SEEK_SET)
        return ChildProcess(copier + [mediaType], [input.descriptor, nil, nil]).failure(saying: nil)
    }
}
