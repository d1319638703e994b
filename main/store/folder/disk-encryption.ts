// Whether the disk of a data folder is encrypted, as the operating system says it (SEC60). The programs asked here
// belong to the system; where one is missing or says something else, the answer is that nobody knows.

import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import type { DiskEncryption } from '../../clinic/ports.ts';

const PATIENCE_MS = 5000;

function ask(program: string, ...args: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(program, args, { timeout: PATIENCE_MS, windowsHide: true }, (error, stdout) =>
    error === null ? resolve(stdout) : reject(error),
  );
  return promise;
}

/** @param types of a block device and all that it lies on, as `lsblk --inverse --output TYPE` lists them */
export function ofBlockDevices(types: string): DiskEncryption {
  const lines = types.split(/\s+/).filter(Boolean);
  if (lines.includes('crypt')) return 'on';
  return lines.some((type) => type === 'disk' || type === 'part' || type === 'lvm') ? 'off' : 'unknown';
}

/** @param status as `fdesetup status` says it; a second line tells how far an encryption is that still runs */
export function ofFileVault(status: string): DiskEncryption {
  if (/^FileVault is On\.$/m.test(status) && !/in progress/i.test(status)) return 'on';
  return /^FileVault is Off\.$/m.test(status) ? 'off' : 'unknown';
}

/**
 * @param protection `System.Volume.BitLockerProtection` of the drive (Windows property system), which everybody may
 * read: 1 on, 2 off, 3 being encrypted, 4 being decrypted, 5 suspended, 6 on and locked
 */
export function ofBitLocker(protection: string): DiskEncryption {
  const value = Number(protection.trim() || Number.NaN);
  if (value === 1 || value === 6) return 'on';
  return value >= 2 && value <= 5 ? 'off' : 'unknown';
}

async function onLinux(folder: string): Promise<DiskEncryption> {
  const [source = '', type = ''] = (
    await ask('findmnt', '--noheadings', '--output', 'SOURCE,FSTYPE', '--target', folder)
  )
    .trim()
    .split(/\s+/);
  if (type === 'ecryptfs') return 'on';
  const device = source.replace(/\[.*\]$/, '');
  if (!device.startsWith('/dev/')) return 'unknown';
  return ofBlockDevices(await ask('lsblk', '--noheadings', '--inverse', '--raw', '--output', 'TYPE', device));
}

function onWindows(folder: string): Promise<string> {
  const drive = /^[a-z]:/i.exec(folder)?.[0];
  if (drive === undefined) return Promise.resolve('');
  const property = `(New-Object -ComObject Shell.Application).NameSpace('${drive}').Self.ExtendedProperty('System.Volume.BitLockerProtection')`;
  return ask('powershell.exe', '-NoProfile', '-NonInteractive', '-Command', property);
}

export async function diskEncryption(folder: string): Promise<DiskEncryption> {
  try {
    if (process.platform === 'linux') return await onLinux(folder);
    // FileVault is of the volume that the system starts from; others are mounted here.
    if (process.platform === 'darwin')
      return (await realpath(folder)).startsWith('/Volumes/')
        ? 'unknown'
        : ofFileVault(await ask('fdesetup', 'status'));
    if (process.platform === 'win32') return ofBitLocker(await onWindows(folder));
  } catch {
    // The program is not there, or may not be asked.
  }
  return 'unknown';
}
