"""`tablemen completion`: the shell script for completion with the Tab key."""

from __future__ import annotations

import click

PROGRAM, VARIABLE = "tablemen", "_TABLEMEN_COMPLETE"

# Bash splits words at : and =, which the text of a player contains. The script joins the parts before completion, and
# shortens each result to the part after the last split. Bash completes files itself only if there are no other results.
BASH = f"""\
_{PROGRAM}_completion() {{
    local IFS=$'\\n' words=() glued= index word whole begun kind value files=
    for ((index = 0; index <= COMP_CWORD; index++)); do
        word=${{COMP_WORDS[index]}}
        if [[ $index -gt 0 && ( -n $glued || $word == [:=]* ) ]]; then
            words[${{#words[@]}}-1]+=$word
        else
            words+=("$word")
        fi
        if [[ $word == *[:=] ]]; then glued=yes; else glued=; fi
    done
    whole=${{words[${{#words[@]}}-1]}}
    if [[ $whole == -*=* ]]; then whole=${{whole#*=}}; fi
    if [[ $word == [:=]* ]]; then begun=$whole; else begun=${{whole%"$word"}}; fi
    COMPREPLY=()
    while IFS=, read -r kind value; do
        case $kind in
            dir) compopt -o dirnames 2> /dev/null ;;
            file)
                files=yes
                compopt -o default 2> /dev/null
                ;;
            plain)
                if [[ $value == *[:=] ]]; then compopt -o nospace 2> /dev/null; fi
                COMPREPLY+=("${{value#"$begun"}}")
                ;;
        esac
    done < <(COMP_WORDS="${{words[*]}}" COMP_CWORD=$((${{#words[@]}} - 1)) {VARIABLE}=bash_complete "$1" 2> /dev/null)
    if [[ -n $files && ${{#COMPREPLY[@]}} -gt 0 ]]; then
        compopt -o filenames 2> /dev/null
        while read -r value; do COMPREPLY+=("${{value#"$begun"}}"); done < <(compgen -f -- "$whole")
    fi
}}
complete -o nosort -F _{PROGRAM}_completion {PROGRAM} 2> /dev/null || complete -F _{PROGRAM}_completion {PROGRAM}
"""

FILES = """\b
Files:
  bash  ~/.bash_completion, or add the first example to ~/.bashrc
  zsh   _tablemen in a folder of $fpath, such as ~/.zfunc; ~/.zshrc must
        contain fpath+=~/.zfunc before it calls compinit
  fish  ~/.config/fish/completions/tablemen.fish
"""
EXAMPLES = """\b
Examples:
  eval "$(tablemen completion bash)"
  tablemen completion bash >> ~/.bash_completion
  tablemen completion zsh > ~/.zfunc/_tablemen
  tablemen completion fish > ~/.config/fish/completions/tablemen.fish
"""


@click.command(epilog=f"{FILES}\n{EXAMPLES}")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
def completion(*, shell: str) -> None:
    """Print a script that completes commands, options, variants, players and files with the Tab key.

    SHELL is bash, zsh or fish. Add the script to a file that the shell reads when it starts.
    """
    click.echo(_make_script(shell), nl=False)


def _make_script(shell: str) -> str:
    from click.shell_completion import get_completion_class

    from tablemen.cli import main

    if shell == "bash":
        return BASH
    kind = get_completion_class(shell)
    assert kind is not None
    return kind(main, {}, PROGRAM, VARIABLE).source()
