// Who may read what the program writes: its owner alone.

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
