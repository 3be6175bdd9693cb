# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a directive of the assembler'
steps='scanner token rule statement body'
scanner() { behind asm/lexer.l '^    \{".param", TOK_PARAM\},$' << 'E'
    {".rows", TOK_ROWS},
E
}
no_scanner()
{
    named "unknown directive '.rows'"
    rebuild build/bin/pcasm && echo '.rows "x"' | build/bin/pcasm -o image.pc -
}
token() { behind asm/parser.y "^%token TOK_PARAM " << 'E'
%token TOK_ROWS "'.rows'"
E
}
no_token()
{
    named TOK_ROWS
    rebuild build/bin/pcasm
}
rule() { behind asm/parser.y '^    \| TOK_ERROR TOK_STRING ' << 'E'
    | TOK_ROWS TOK_STRING           { declare(p, STMT_ROWS, @1, $2, NULL); }
E
}
no_rule()
{
    named "unexpected '.rows'"
    rebuild build/bin/pcasm && echo '.rows "x"' | build/bin/pcasm -o image.pc -
}
statement() { replace asm/ast.h '^    STMT_ENTRY,$' 'STMT_ENTRY,' 'STMT_ROWS, STMT_ENTRY,'; }
no_statement()
{
    named STMT_ROWS
    compile asm/declare.c
}
body() { before asm/declare.c '^    case STMT_SLOT:$' << 'E'
    case STMT_ROWS:
        diag_warning(p->diag, s->loc, "%s, and %u rows", s->name.text, p->image->data_rows);
        break;
E
}
no_body()
{
    named "enumeration value 'STMT_ROWS' not handled in switch"
    compile asm/declare.c
}
works()
{
    printf '.rows "here"\n.filter class load\n.entry load a\na: mov pc32 -> v0 | done\n' | pcasm -o p.pc - 2> out
    says 'here, and' out
}
