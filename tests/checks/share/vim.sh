# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154 # tmp: of check_share.sh
# Checks Vim's syntax highlighting of programs: every directive and every comment is recognised, and no item is unknown.
# usage: vim.sh FOLDER PROGRAM...     FOLDER: directory for Vim's runtimepath
folder=$1
shift
cat > "$tmp/check.vim" << 'VIM'
function! Look()
  let directives = 0
  for number in range(1, line('$'))
    let text = getline(number)
    for column in range(1, len(text))
      let name = synIDattr(synID(number, column, 0), 'name')
      if name ==# 'pasmUnknown'
        call add(g:found, expand('%') . ':' . number . ': unknown at column ' . column)
      endif
      let directives += name ==# 'pasmDirective' && text[column - 1] ==# '.'
    endfor
    if text =~# '^\s*;' && synIDattr(synID(number, len(text), 0), 'name') !=# 'pasmComment'
      call add(g:found, expand('%') . ':' . number . ': a comment is none')
    endif
  endfor
  let expected = len(filter(getline(1, '$'), 'v:val =~# "^\\s*\\.\\h"'))
  if directives != expected
    call add(g:found, expand('%') . ': ' . expected . ' directives, of which the syntax has ' . directives)
  endif
endfunction
let g:found = []
syntax on
for file in g:programs
  execute 'edit' file
  if &filetype !=# 'pasm'
    call add(g:found, file . ': the file type is not pasm')
  endif
  call Look()
endfor
call writefile(g:found, g:result)
qall!
VIM
printf '            .nonsense x\n' > "$tmp/unknown.pasm"
run() {
    list=
    for program; do list="$list,'$program'"; done
    vim -u NONE -i NONE -n -es -N --cmd "set runtimepath^=$folder" --cmd "let g:programs = [${list#,}]" \
        --cmd "let g:result = '$tmp/found'" --cmd 'filetype on' -S "$tmp/check.vim" < /dev/null > "$tmp/vim.out" 2>&1
}
run "$@" || { cat "$tmp/vim.out" >&2; exit 1; }
if grep . "$tmp/found" >&2; then exit 1; fi
run "$tmp/unknown.pasm"
grep -q unknown "$tmp/found" || { echo "vim.sh: an unknown directive is not found" >&2; exit 1; }
