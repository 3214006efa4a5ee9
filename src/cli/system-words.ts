/** What an error of the operating system means. */
export const SYSTEM_WORDS: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of this path is not a folder',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'this user has no permission for it',
  EPERM: 'this user has no permission for it',
  EROFS: 'it can only be read',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'no space is left for this user',
  EFBIG: 'the file would be too large',
  EMFILE: 'too many files are open',
}

/** The command that helps. */
export const NEXT_OF_SYSTEM: Record<string, string> = { ENOSPC: 'df -h   # then free some space', EMFILE: 'ulimit -n 4096' }
