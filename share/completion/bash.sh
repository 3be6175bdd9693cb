# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2154 # a part of what bash.awk writes, which sets words and properties

# _TOOL_offer TEXT...: adds those that go on with what was typed, behind what readline keeps of the word.
_TOOL_offer()
{
    local text
    for text; do
        [[ $text == "$value"* ]] && COMPREPLY+=("${before}${text}")
    done
}

# The options of an item, as in tip:period=997, from the words KIND:OPTION and KIND:OPTION=CHOICE.
_TOOL_offer_options()
{
    local item=$1 stem=$2 word rest
    local kind=${item%%:*} head=${item%:*} piece=${item##*:}
    for word in "${words[@]}"; do
        [[ $word == "$kind:"* ]] || continue
        rest=${word#*:}
        if [[ $piece == *=* ]]; then
            # Choices are joined by +.
            [[ $rest == "${piece%%=*}"=?* ]] || continue
            [[ $piece == *+* ]] && rest=${piece%+*}+${rest#*=}
        else
            [[ $rest == *=?* ]] && continue
        fi
        _TOOL_offer "$stem$head:$rest"
    done
}

# The argument of an option, or a positional one: $1 is COMMAND:OPTION, $value what was typed of it, $before what stands
# before it in the same word.
_TOOL_complete_argument()
{
    local words properties word stem='' item=$value file
    _TOOL_argument "$1" || return
    if [[ $properties == *items* && $value == *,* ]]; then
        stem=${value%,*}, item=${value##*,}
    fi
    if [[ $properties == *options* && $item == *:* ]]; then
        _TOOL_offer_options "$item" "$stem"
    else
        for word in "${words[@]}"; do
            [[ $properties == *options* && $word == *:* ]] || _TOOL_offer "$stem${word%FILE}"
            if [[ $word == *?FILE && $value == "${word%FILE}"* ]]; then
                while IFS= read -r file; do
                    _TOOL_offer "${word%FILE}$file"
                done < <(compgen -f -- "${value#"${word%FILE}"}")
            fi
        done
    fi
    if [[ $properties == *files* ]]; then
        while IFS= read -r file; do _TOOL_offer "$file"; done < <(compgen -f -- "$value")
    elif [[ $properties == *folders* ]]; then
        while IFS= read -r file; do _TOOL_offer "$file"; done < <(compgen -d -- "$value")
    fi
    [[ $properties == *files* || $properties == *folders* ]] && compopt -o filenames 2> /dev/null
}

_TOOL()
{
    local words properties command='' rest='' previous='' at value before='' typed word kept i
    COMPREPLY=()
    # The words as typed: COMP_WORDS are split at : and = too.
    read -ra typed <<< "${COMP_LINE:0:COMP_POINT}"
    [[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && typed+=('')
    at=$((${#typed[@]} - 1))
    for ((i = 1; i < at; i++)); do
        word=${typed[i]}
        if [[ -n $previous ]]; then
            previous=''
        elif [[ $word == -* && $word != - ]]; then
            _TOOL_argument "$command:$word" && [[ $properties != *flag* && $properties != *optional* ]] &&
                previous=$word
        elif [[ -z $command ]] && _TOOL_argument "$word:options"; then
            command=$word
        elif _TOOL_argument "$command:" && [[ $properties == *rest* ]]; then
            rest=yes
            break
        fi
    done
    value=${typed[at]}
    if [[ -n $previous ]]; then
        _TOOL_complete_argument "$command:$previous"
    elif [[ $value == --*=* ]]; then
        before=${value%%=*}=
        value=${value#*=}
        _TOOL_complete_argument "$command:${before%=}"
    elif [[ -n $rest ]]; then
        compopt -o default 2> /dev/null # words of another program
        return
    elif [[ $value == -* ]]; then
        _TOOL_argument "$command:options" && _TOOL_offer "${words[@]}"
    else
        _TOOL_complete_argument "$command:"
    fi
    [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace 2> /dev/null
    # Readline replaces what stands behind the last : or =.
    kept=${typed[at]}
    [[ $kept == *[:=]* ]] && kept=${kept%"${kept##*[:=]}"} && COMPREPLY=("${COMPREPLY[@]#"$kept"}")
    return 0
}

complete -F _TOOL @TOOL@
