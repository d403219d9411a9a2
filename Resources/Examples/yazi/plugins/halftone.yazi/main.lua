-- Written from the documentation of yazi 26.1, not tried with it.
local M = {}

function M:peek(job)
	-- --offline: a preview fetches nothing, whatever it shows.
	local output, err = Command("halftone")
		:arg({ "--print", "--offline", "--size", job.area.w .. "x" .. job.area.h, "--", tostring(job.file.path) })
		:stdout(Command.PIPED)
		:stderr(Command.PIPED)
		:output()
	local text = err and tostring(err) or output.status.success and output.stdout or output.stderr
	ya.preview_widget(job, ui.Text.parse(text):area(job.area))
end

-- A picture does not scroll.
function M:seek() end

return M
