// Help texts of flags that several commands share.

/** Help for `-lock` and `-lock-timeout`. */
export const LOCK_HELP = `  -lock=false         Don't lock the state. This is dangerous if other commands
                      may run for the same workspace at the same
                      time.

  -lock-timeout=0s    The time to wait for a lock that another user holds.
`;

/** Help for `-json` and `-json-into`. */
export const JSON_HELP = `  -json               Print one JSON object a line, for programs.

  -json-into=path     Write the output of -json to this file or pipe, in
                      addition to the usual output.
`;

/** Help for `-var` and `-var-file` of commands that need them only for settings such as the backend's. */
export const SETTINGS_VARIABLES_HELP = `  -var 'foo=bar'      A value for a variable, which is used only for the backend
                      and other early values; -var-file=filename
                      likewise.
`;
