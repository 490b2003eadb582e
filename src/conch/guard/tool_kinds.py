"""What a tool does, by its name: the tools of Conch and the common ones of other assistants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

ToolKind = Literal[
    "Run",
    "Run code",
    "Send input to a program",
    "Read the output of a program",
    "Stop a program",
    "Read",
    "Write",
    "Edit",
    "Delete",
    "Move",
    "List",
    "Find files",
    "Search files for",
    "Fetch",
    "Search the web for",
    "Remember",
    "Recall",
    "Forget",
    "Plan",
    "Ask a helper",
    "Use a skill",
]

_NAMES: dict[ToolKind, str] = {
    "Run": "bash shell sh zsh powershell pwsh cmd exec execute run run_command runcommand "
    "run_shell_command runshellcommand shell_command shellcommand local_shell local_shell_call "
    "execute_command executecommand exec_command terminal run_terminal_cmd run_terminal_command "
    "run_in_terminal terminal_command container_exec run_bash bash_command command",
    "Run code": "python execute_code code_interpreter run_code run_python javascript node_repl "
    "ipython jupyter execute_python",
    "Send input to a program": "write_stdin send_input bash_input",
    "Read the output of a program": "bash_output bashoutput read_output get_terminal_output "
    "terminal_output",
    "Stop a program": "kill_shell killshell kill_bash kill_process stop_process",
    "Read": "read read_file readfile view view_file open_file openfile cat get_file fs_read "
    "read_text_file read_many_files read_multiple_files notebook_read notebookread file_read",
    "Write": "write write_file writefile create_file createfile save_file fs_write new_file "
    "file_write write_to_file create",
    "Edit": "edit edit_file editfile multi_edit multiedit str_replace replace replace_in_file "
    "str_replace_editor str_replace_based_edit_tool apply_patch applypatch patch apply_diff "
    "search_replace insert_edit_into_file notebook_edit notebookedit edit_notebook file_edit "
    "insert update_file",
    "Delete": "delete delete_file deletefile remove_file rm",
    "Move": "move move_file rename rename_file mv",
    "List": "ls list list_dir list_directory listdir list_files listfiles read_directory tree",
    "Find files": "glob find find_files file_search search_files_by_name globsearch find_by_name",
    "Search files for": "grep search search_files grep_search ripgrep rg codebase_search "
    "search_code search_file_content text_search search_in_files content_search",
    "Fetch": "fetch web_fetch webfetch fetch_url fetch_page open_url get_url http_get http_request "
    "read_url read_page web_read browse browse_page url_fetch curl read_web_page "
    "fetch_webpage navigate browser_navigate browser_open download",
    "Search the web for": "web_search websearch search_web google_web_search google_search "
    "internet_search search_the_web web_search_call brave_search bing_search "
    "duckduckgo_search tavily_search",
    "Remember": "remember save_memory memory_save bio",
    "Recall": "recall search_memory memory_search",
    "Forget": "forget forget_memory",
    "Plan": "todo_write todowrite update_plan plan write_todos todo todo_read todoread",
    "Ask a helper": "task agent delegate subagent sub_agent spawn_agent",
    "Use a skill": "skill use_skill load_skill",
}
_KINDS: dict[str, ToolKind] = {
    name: kind for kind, names in _NAMES.items() for name in names.split()
}

_EDITORS = {"str_replace_editor", "str_replace_based_edit_tool"}
"""One tool that views and changes: its input `command` says which."""
_COMMANDS_OF_EDITORS: dict[str, ToolKind] = {
    "view": "Read",
    "create": "Write",
    "str_replace": "Edit",
    "insert": "Edit",
    "undo_edit": "Edit",
}
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def plain_name(tool: str) -> str:
    """A tool's name in one spelling: `functions.ReadFile` and `read-file` are `read_file`."""
    return CAMEL.sub("_", tool.rsplit(".", 1)[-1]).lower().replace("-", "_").replace(" ", "_")


def kind_of(tool: str, given: Mapping[str, Any]) -> ToolKind | None:
    """What the tool does with this input, None for one nobody here knows."""
    name = plain_name(tool)
    kind = _KINDS.get(name) or _KINDS.get(name.replace("_", ""))
    if name not in _EDITORS:
        return kind
    command = next((v for k, v in given.items() if str(k).lower() == "command"), None)
    return _COMMANDS_OF_EDITORS.get(str(command)) or kind
