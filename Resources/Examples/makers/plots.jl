# In ~/.julia/config/startup.jl: every picture that the REPL would show, of Plots, Makie or Images, goes to Halftone's pane.
struct HalftoneDisplay <: AbstractDisplay end
Base.display(::HalftoneDisplay, x) = showable("image/png", x) ?
    open(io -> show(io, "image/png", x), `halftone --show -`, "w") : throw(MethodError(display, (x,)))
atreplinit(_ -> pushdisplay(HalftoneDisplay()))
