import Gallery

extension BrowserModel {
    /// Shows what holds the text, with every key; Esc shows all again.
    func filter(_ prompt: Prompt, _ answer: Prompt.Answer) {
        var order = order
        order.filter = answer == .cancelled ? "" : prompt.text
        if order != self.order {
            arrange(order)
            // Back to where the reader was, as soon as that is shown again.
            if let number = prompt.origin.flatMap(level.number) {
                level.select(number: number)
            }
        }
        if answer == .done, level.layout.pictureCount == 0 {
            show(message: "nothing holds \(prompt.text)")
        }
    }

    /// Takes the next order; the selected picture stays selected.
    func nextOrder() {
        let keys = PictureOrder.Key.allCases
        let place = keys.firstIndex(of: order.key) ?? 0
        var order = order
        order.key = keys[(place + 1) % keys.count]
        arrange(order)
        show(message: "sorted by \(order.key.rawValue)")
    }

    private func arrange(_ order: PictureOrder) {
        self.order = order
        for level in levels {
            for section in level.sections.sections {
                section.arrange(order, by: arranger) { [weak self, weak level] in
                    level?.sectionsChanged()
                    self?.stateChanged()
                }
            }
        }
        stateChanged()
    }
}
