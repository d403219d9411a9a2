# Made by make manual from the option table: edit that.
_halftone() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    # --option=value comes as three words.
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = && COMP_CWORD -gt 1 ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $before in
    --layout) COMPREPLY=($(compgen -W 'list grid rows' -- "$word")); return ;;
    --tile) compopt +o default; return ;;
    --blocks) COMPREPLY=($(compgen -W 'auto half quadrant sextant octant braille ascii' -- "$word")); return ;;
    --colors) COMPREPLY=($(compgen -W 'auto truecolor 256 16 8 mono' -- "$word")); return ;;
    --graphics) COMPREPLY=($(compgen -W 'auto none kitty sixel iterm' -- "$word")); return ;;
    --dither) COMPREPLY=($(compgen -W 'auto none' -- "$word")); return ;;
    --animate-tiles) COMPREPLY=($(compgen -W 'none selected all' -- "$word")); return ;;
    --status) compopt +o default; return ;;
    --label) compopt +o default; return ;;
    --window-title) compopt +o default; return ;;
    --ignore) compopt +o default; return ;;
    --at) compopt +o default; return ;;
    --pages) COMPREPLY=($(compgen -W 'all' -- "$word")); return ;;
    --sort) COMPREPLY=($(compgen -W 'page title name date size pixels taken random' -- "$word")); return ;;
    --group) COMPREPLY=($(compgen -W 'none day month folder alike' -- "$word")); return ;;
    --filter) compopt +o default; return ;;
    --recipe) :; return ;;
    --output) compopt -o dirnames +o default; return ;;
    --name) compopt +o default; return ;;
    --max-pixels) compopt +o default; return ;;
    --connections) compopt +o default; return ;;
    --timeout) compopt +o default; return ;;
    --min-rate) compopt +o default; return ;;
    --pause) compopt +o default; return ;;
    --limit-rate) compopt +o default; return ;;
    --retries) compopt +o default; return ;;
    --user-agent) compopt +o default; return ;;
    --header) compopt +o default; return ;;
    --cookies) :; return ;;
    --cookies-from-browser) COMPREPLY=($(compgen -W 'firefox' -- "$word")); return ;;
    --browser) COMPREPLY=($(compgen -W 'auto never always' -- "$word")); return ;;
    --referer) COMPREPLY=($(compgen -W 'auto none' -- "$word")); return ;;
    --max-bytes) compopt +o default; return ;;
    --cache) compopt -o dirnames +o default; return ;;
    --cache-size) compopt +o default; return ;;
    --save) compopt +o default; return ;;
    --index) compopt -o dirnames +o default; return ;;
    --size) compopt +o default; return ;;
    --place) compopt +o default; return ;;
    --choose-file) :; return ;;
    --print-field) compopt +o default; return ;;
    --heading) compopt +o default; return ;;
    --split) compopt +o default; return ;;
    --ipc) compopt +o default; return ;;
    --ipc-commands) COMPREPLY=($(compgen -W 'safe all' -- "$word")); return ;;
    --remote) compopt +o default; return ;;
    --remote-program) compopt +o default; return ;;
    --forget-host) compopt +o default; return ;;
    --config) :; return ;;
    --record) :; return ;;
    --trace) :; return ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W '--layout --tile --blocks --colors --graphics --dither --crop --no-tint --no-animation --animate-tiles --no-hints --status --label --window-title -r --recursive --ignore -0 --null --alone --at --fresh --newest --pages --sort --group --reverse --filter --recipe --output --name --write-json --again --max-pixels --connections --timeout --min-rate --pause --limit-rate --retries --user-agent --header --cookies --cookies-from-browser --browser --referer --max-bytes --allow-private --cache --cache-size --no-cache --no-state --offline --save --index --print --size --place -o --choose --choose-file --print-field --heading --urls --paths --json --new --print0 --compare --explain --make-recipe --check-recipes --show --split --no-socket --ipc --ipc-commands --remote --remote-program --forget-host --config --print-config --no-config --no-sandbox --record --trace --forget --version -h --help' -- "$word"))
    fi
}
complete -o default -o bashdefault -F _halftone halftone
