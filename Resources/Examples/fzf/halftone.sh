# Pictures, archives and folders in fzf's preview: source this from ~/.bashrc or ~/.zshrc.
#
# Without --size halftone fills the preview, whose size fzf says in these variables; but fzf clips its last column.
# --offline: a saved page is shown without fetching anything. What holds no picture is shown as text.
export FZF_DEFAULT_OPTS="${FZF_DEFAULT_OPTS-}
    --preview 'halftone --print --offline --size \$((FZF_PREVIEW_COLUMNS - 1))x\$FZF_PREVIEW_LINES -- {} 2>/dev/null ||
        head -n \$FZF_PREVIEW_LINES -- {}'
    --preview-window right,60%"
