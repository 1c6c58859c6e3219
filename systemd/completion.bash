# Completion of the xiangqi commands: their options, as their own help lists them, and files.

_xiangqi() {
    local cur prev words cword
    _init_completion || return
    case $prev in
        --rulebook) COMPREPLY=($(compgen -W 'cxa-2010 cxa-1999 asian' -- "$cur")) ;;
        --lang) COMPREPLY=($(compgen -W 'zh en' -- "$cur")) ;;
        --sensing) COMPREPLY=($(compgen -W 'identity colour occupancy' -- "$cur")) ;;
        --udc) COMPREPLY=($(compgen -W "$(ls /sys/class/udc 2>/dev/null)" -- "$cur")) ;;
        --config | --socket | --pgn | --log | --game) _filedir ;;
        *)
            if [[ $cur == -* ]]; then
                COMPREPLY=($(compgen -W "$("$1" --help | grep -o -e '--[a-z-]*')" -- "$cur"))
            elif [[ $1 == *ctl ]]; then
                COMPREPLY=($(compgen -W "$("$1" --help | sed '1,/^Subcommands/d' | grep -o '^  [a-z._]*')" -- "$cur"))
            else
                _filedir
            fi
            ;;
    esac
} && complete -F _xiangqi xiangqid xiangqictl xiangqi-replay xiangqi-judge xiangqi-boardsim
