// Help texts of flags that several commands share.

/** Help for `-lock` and `-lock-timeout`. */
export const LOCK_HELP = `  -lock=false         Don't lock the state while working. This is dangerous if
                      others might run commands for the same workspace at the
                      same time.

  -lock-timeout=0s    How long to wait for a lock that another user holds.
`;

/** Help for `-json` and `-json-into`. */
export const JSON_HELP = `  -json               Print one JSON object a line, for programs.

  -json-into=path     Write what -json prints into this file or pipe, besides
                      what people are shown.
`;

/** Help for `-var` and `-var-file` of commands that need them only for settings such as the backend's. */
export const SETTINGS_VARIABLES_HELP = `  -var 'foo=bar'      Give a value to a variable. Only where the state is kept
                      and the like are worked out with it; -var-file=filename
                      likewise.
`;
