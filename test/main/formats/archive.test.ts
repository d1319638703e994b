import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { unpackArchive } from '../../../main/formats/archive/archive.ts';
import { archiveKindOf } from '../../../main/formats/archive/archive-kind.ts';
import { UNPACK_LIMITS, type UnpackLimits } from '../../../main/formats/archive/unpacking.ts';
import { groupFiles } from '../../../main/formats/group-files.ts';
import { admit, readRecord } from '../../../main/formats/read-record.ts';
import { readAllSamples } from '../../../shared/signal/recording.ts';
import { makeTar, makeZip, type TarMember, type ZipMember } from '../../support/make-archives.ts';
import { unpackInMemory } from '../../support/memory-sink.ts';
import { bytesFile, dataFolder, fileOf, recordingFrom } from '../../support/test-data.ts';

const archive = (name: string) => fileOf(join(dataFolder, 'archives', name));
const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const unpack = (bytes: Uint8Array, limits?: UnpackLimits) =>
  unpackInMemory(bytesFile('upload', bytes), limits);
const member = (name: string | Uint8Array, rest: Partial<ZipMember> = {}): ZipMember => ({
  name,
  content: text(`content of ${name}`),
  ...rest,
});
const names = async (bytes: Uint8Array, limits?: UnpackLimits): Promise<string[]> =>
  (await unpack(bytes, limits)).members.map(({ name }) => name);
const codes = async (bytes: Uint8Array): Promise<string[]> =>
  (await unpack(bytes)).warnings.map(({ code }) => code);
const refusal = (reason: string) => ({ reason, message: expect.stringMatching(/^[A-Z].*\.$/) });

describe('archives made by other programs', () => {
  const readable = [
    'deflate.zip',
    'deflate64.zip',
    'bzip2.zip',
    'lzma.zip',
    'xz.zip',
    'zip64.zip',
    'trailing_padding.zip',
    'v7.tar',
    'gnu_longname.tar',
    'pax_longname.tar',
    'symlink.tar',
    'two_members.tar.gz',
  ];
  const warned: Readonly<Record<string, string[]>> = {
    'trailing_padding.zip': ['trailing_bytes'],
    'symlink.tar': ['link_skipped'],
  };

  test.each(readable)('%s holds the record that it was made of', async (name) => {
    const { files, warnings } = await unpackInMemory(archive(name));
    expect(warnings.map(({ code }) => code)).toEqual(warned[name] ?? []);
    const { records, unclaimed } = groupFiles(files);
    expect(unclaimed).toEqual([]);
    expect(records).toHaveLength(1);
    const [{ files: local }] = records as [(typeof records)[0]];
    const result = readRecord(local[0], local);
    if (!result.ok) throw new Error(result.message);
    const original = recordingFrom(join(dataFolder, 'wfdb', '100_3chan.hea'));
    for (const [index, channel] of original.channels.entries())
      expect(readAllSamples(result.recording.channels[index]!)).toEqual(readAllSamples(channel));
  });

  test.each([
    ['ppmd.zip', 'archive_method_unsupported', /PPMd/],
    ['zipcrypto.zip', 'archive_encrypted', /password/],
    ['aes.zip', 'archive_encrypted', /password/],
  ])('%s is refused by name', async (name, reason, message) => {
    await expect(unpackInMemory(archive(name))).rejects.toMatchObject({
      reason,
      message: expect.stringMatching(message),
    });
  });

  test('a header alone in gzip is a record whose signals are missing', async () => {
    const { files } = await unpackInMemory(archive('single_file.hea.gz'));
    expect(admit(readRecord(files[0]!, files))).toMatchObject({ ok: false, reason: 'record_incomplete' });
  });

  test('every archive of the folder is named here', () => {
    const named = [...readable, 'ppmd.zip', 'zipcrypto.zip', 'aes.zip', 'single_file.hea.gz'];
    expect(readdirSync(join(dataFolder, 'archives')).sort()).toEqual(named.sort());
  });
});

describe('names (D55)', () => {
  test('become plain: backslashes, leading slashes, drives and dots go', async () => {
    expect(
      await names(
        makeZip([
          member('a\\b.edf'),
          member('/c.edf'),
          member('C:\\d.edf'),
          member('./e.edf'),
          member('//C:/./f.edf'),
        ]),
      ),
    ).toEqual(['a/b.edf', 'c.edf', 'd.edf', 'e.edf', 'f.edf']);
  });

  test.each(['../a.edf', 'a/../../b.edf', '..\\a.edf', 'a/..', `${'x'.repeat(1025)}`, 'a\0.edf'])(
    '"%s" refuses the whole archive',
    async (name) => {
      await expect(unpack(makeZip([member('good.edf'), member(name)]))).rejects.toMatchObject(
        refusal('archive_unsafe_name'),
      );
      if (name.length < 100)
        await expect(
          unpack(
            makeTar([
              { name: 'good.edf', content: text('x') },
              { name: name.replace('\0', '\\..\\'), content: text('y') },
            ]),
          ),
        ).rejects.toMatchObject(refusal('archive_unsafe_name'));
    },
  );

  test('that are no UTF-8 are read as code page 437', async () => {
    expect(await names(makeZip([member(Uint8Array.of(0x81, 0x2e, 0x65, 0x64, 0x66))]))).toEqual(['ü.edf']);
  });

  test('of what operating systems leave behind, of folders and of empty files are skipped silently', async () => {
    const litter = ['__MACOSX/._a.edf', '._b', 'x/.DS_Store', 'Thumbs.db', 'x/desktop.ini', 'folder/'];
    const bytes = makeZip([
      ...litter.map((name) => member(name)),
      { name: 'empty.edf', content: new Uint8Array(0) },
      member('kept.edf'),
    ]);
    expect(await names(bytes)).toEqual(['kept.edf']);
    expect(await codes(bytes)).toEqual([]);
  });

  test('that differ only in case are two files', async () => {
    expect(await names(makeZip([member('a.edf'), member('A.edf')]))).toEqual(['a.edf', 'A.edf']);
  });

  test('that come twice are one file where the bytes are equal, else the archive is refused', async () => {
    const same = { content: text('same') };
    expect(await names(makeZip([member('a.edf', same), member('a.edf', same)]))).toEqual(['a.edf']);
    await expect(unpack(makeZip([member('a.edf'), member('a.edf', same)]))).rejects.toMatchObject(
      refusal('archive_duplicate_entry'),
    );
  });
});

describe('links, devices, archives in archives (D55)', () => {
  test('links of a zip are skipped with a warning', async () => {
    const bytes = makeZip([member('link', { externalAttributes: 0xa1ff << 16 }), member('kept.edf')]);
    expect(await names(bytes)).toEqual(['kept.edf']);
    expect(await codes(bytes)).toEqual(['link_skipped']);
  });

  test.each(['1', '2', '3', '4', '6'])('a tar entry of type %s is skipped with a warning', async (type) => {
    const bytes = makeTar([
      { name: 'odd', type },
      { name: 'kept.edf', content: text('kept') },
    ]);
    expect(await names(bytes)).toEqual(['kept.edf']);
    expect(await codes(bytes)).toEqual(['link_skipped']);
  });

  test('an archive that lies two levels deep is no record', async () => {
    const deep = makeZip([member('a.edf')]);
    const inner = makeZip([member('deep.zip', { content: deep })]);
    const { files } = await unpack(makeZip([member('inner.zip', { content: inner })]));
    expect(groupFiles(files).records).toEqual([]);
    expect(readRecord(files[0]!, files)).toMatchObject({
      ok: false,
      reason: 'archive_format_unsupported',
      message: expect.stringContaining('a zip archive'),
    });
  });
});

describe('sizes (D55)', () => {
  const small: UnpackLimits = {
    ...UNPACK_LIMITS,
    members: 5,
    memberBytes: 1000,
    totalBytes: 2500,
    ratioFromBytes: 1e9,
  };

  test('more members than allowed refuse the archive before any is read', async () => {
    const many = Array.from({ length: 6 }, (_, i) => member(`${i}`));
    await expect(unpack(makeZip(many), small)).rejects.toMatchObject(refusal('archive_too_large'));
    await expect(
      unpack(makeTar(many.map(({ content }, i): TarMember => ({ name: `${i}`, content }))), small),
    ).rejects.toMatchObject(refusal('archive_too_large'));
  });

  test('a hundred thousand empty members are too many', async () => {
    const bytes = makeZip(
      Array.from({ length: 100_000 }, (_, i) => ({ name: `${i}`, content: new Uint8Array(0) })),
      { entryCount: 0xffff },
    );
    await expect(unpack(bytes)).rejects.toMatchObject({
      reason: expect.stringMatching(/^archive_(too_large|corrupt)$/),
    });
  });

  test('a member, and all together, are counted while they come out', async () => {
    const long = { content: new Uint8Array(1001), method: 8 };
    await expect(unpack(makeZip([member('a', long)]), small)).rejects.toMatchObject(
      refusal('archive_too_large'),
    );
    const parts = [1, 2, 3].map((n) => member(`${n}`, { content: new Uint8Array(900).fill(n), method: 8 }));
    await expect(unpack(makeZip(parts), small)).rejects.toMatchObject(refusal('archive_too_large'));
  });

  test('a bomb is stopped by the ratio of what comes out to what went in', async () => {
    const limits = { ...UNPACK_LIMITS, ratioFromBytes: 1 << 20 };
    const zeros = new Uint8Array(8 << 20);
    await expect(unpack(makeZip([member('a', { content: zeros, method: 8 })]), limits)).rejects.toMatchObject(
      refusal('archive_too_large'),
    );
    await expect(unpack(gzipSync(zeros), limits)).rejects.toMatchObject(refusal('archive_too_large'));
    await expect(unpack(gzipSync(makeTar([{ name: 'a', content: zeros }])), limits)).rejects.toMatchObject(
      refusal('archive_too_large'),
    );
  });
});

describe('what is skipped in a tar', () => {
  test('counts: a bomb of litter is a bomb', async () => {
    const limits = { ...UNPACK_LIMITS, ratioFromBytes: 1 << 20 };
    await expect(
      unpack(gzipSync(makeTar([{ name: '._x', content: new Uint8Array(8 << 20) }])), limits),
    ).rejects.toMatchObject(refusal('archive_too_large'));
  });

  test('must have a safe name all the same', async () => {
    await expect(unpack(makeTar([{ name: '../evil/', type: '5' }]))).rejects.toMatchObject(
      refusal('archive_unsafe_name'),
    );
    await expect(unpack(makeZip([member('../evil/')]))).rejects.toMatchObject(refusal('archive_unsafe_name'));
  });

  test('and names of old programs are told apart', async () => {
    const content = (n: number) => Uint8Array.of(n);
    expect(
      await names(
        makeTar([
          { name: '\x84.bin', content: content(1) },
          { name: '\x94.bin', content: content(2) },
        ]),
      ),
    ).toEqual(['ä.bin', 'ö.bin']);
  });
});

describe('damaged and forged zip archives (D55)', () => {
  const good = makeZip([member('a.edf', { method: 8 }), member('b.edf')]);

  test.each([
    ['a wrong checksum', makeZip([member('a', { crc: 1, local: { crc: 1 } })])],
    ['a size that is too small', makeZip([member('a', { method: 8, sizeBytes: 3 })])],
    ['a size that is too large', makeZip([member('a', { method: 8, sizeBytes: 300 })])],
    ['another name before the member', makeZip([member('a', { local: { name: 'b' } })])],
    ['another method before the member', makeZip([member('a', { local: { method: 8 } })])],
    ['another checksum before the member', makeZip([member('a', { local: { crc: 5 } })])],
    ['another size before the member', makeZip([member('a', { local: { sizeBytes: 5 } })])],
    ['two entries for one member', makeZip([member('a'), member('a', { pointsTo: 0 })])],
    [
      'an entry that reaches into the next',
      makeZip([member('a', { compressedBytes: 60, sizeBytes: 60 }), member('b')]),
    ],
    ['a cut end', good.subarray(0, good.length - 30)],
    ['no end', good.subarray(0, 60)],
    ['a directory larger than the file', makeZip([member('a')], { directoryBytes: 1e9 })],
    ['a member on another disk', makeZip([member('a')], { diskNumber: 3 })],
    ['deflated content that is none', makeZip([{ name: 'a', content: text('no deflate'), method: 9 }])],
    ['bzip2 content that is none', makeZip([{ name: 'a', content: text('no bzip2 at all'), method: 12 }])],
    [
      'LZMA content that is none',
      makeZip([{ name: 'a', content: text('no lzma at all, none'), method: 14 }]),
    ],
    ['Zstandard content that is none', makeZip([{ name: 'a', content: text('no zstd at all'), method: 93 }])],
    ['xz content that is none', makeZip([{ name: 'a', content: text('no xz at all'), method: 95 }])],
  ])('%s refuse the archive', async (_, bytes) => {
    await expect(unpack(bytes)).rejects.toMatchObject(refusal('archive_corrupt'));
  });

  test.each([1, 3, 5, 10, 20, 97])('method %i is refused by name', async (method) => {
    await expect(unpack(makeZip([member('a', { method })]))).rejects.toMatchObject(
      refusal('archive_method_unsupported'),
    );
  });

  test.each([
    ['an encrypted member', member('a', { flags: 1 })],
    ['strong encryption', member('a', { flags: 0x41 })],
  ])('%s refuses the archive', async (_, forged) => {
    await expect(unpack(makeZip([forged]))).rejects.toMatchObject(refusal('archive_encrypted'));
  });

  test('sizes behind the member, with signature and without, are read', async () => {
    expect(
      await names(
        makeZip([member('a', { descriptor: 'signed' }), member('b', { descriptor: 'unsigned', method: 8 })]),
      ),
    ).toEqual(['a', 'b']);
  });

  test('a comment that holds the mark of the end, and bytes before and behind, do not confuse it', async () => {
    const comment = Uint8Array.from([...text('see PK'), 5, 6, ...new Uint8Array(18)]);
    expect(await names(makeZip([member('a')], { comment }))).toEqual(['a']);
    expect(await names(makeZip([member('a')], { suffix: new Uint8Array(500) }))).toEqual(['a']);
    expect(await codes(makeZip([member('a')], { suffix: new Uint8Array(500) }))).toEqual(['trailing_bytes']);
    const behindProgram = makeZip([member('a')], {
      prefix: text('MZ a program that unpacks itself '.repeat(20)),
    });
    expect(archiveKindOf(bytesFile('x', behindProgram))).toBe('zip');
    expect(await names(behindProgram)).toEqual(['a']);
  });

  test('an empty archive holds nothing', async () => {
    expect(await names(makeZip([]))).toEqual([]);
  });
});

describe('damaged and forged tar and gzip (D55)', () => {
  const content = text('some content');
  const good = makeTar([{ name: 'a', content }]);

  test('ends without its zero blocks, and still is read', async () => {
    expect(await names(makeTar([{ name: 'a', content }], new Uint8Array(0)))).toEqual(['a']);
  });

  test.each([
    [
      'a wrong checksum of the second header',
      makeTar([
        { name: 'a', content },
        { name: 'b', content, checksum: '000000\0 ' },
      ]),
    ],
    ['a member of 8 GB that is not there', makeTar([{ name: 'a', content, size: '77777777777\0' }])],
    [
      'a negative size',
      makeTar([
        { name: 'a', content },
        { name: 'b', content, size: '\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00' },
      ]),
    ],
    ['a cut member', good.subarray(0, 515)],
    ['a header of names without end', makeTar([{ name: 'x', type: 'x', content, size: '20000000000\0' }])],
  ])('%s refuses the archive', async (_, bytes) => {
    await expect(unpack(bytes)).rejects.toMatchObject(refusal('archive_corrupt'));
  });

  test.each([
    ['cut', gzipSync(good).subarray(0, 40)],
    ['followed by something else', Buffer.concat([gzipSync(good), text('garbage')])],
    ['with a wrong checksum', Buffer.concat([gzipSync(good).subarray(0, -8), Buffer.alloc(8)])],
  ])('gzip that is %s refuses the archive', async (_, bytes) => {
    await expect(unpack(bytes)).rejects.toMatchObject(refusal('archive_corrupt'));
  });

  test('gzip of several parts is one content, and zeros may follow it', async () => {
    const parts = Buffer.concat([
      gzipSync(good.subarray(0, 300)),
      gzipSync(good.subarray(300)),
      Buffer.alloc(100),
    ]);
    expect(await names(parts)).toEqual(['a']);
  });
});

describe('what is an archive', () => {
  test.each(['edf/made_ecg12_plusC.edf', 'wfdb/100.hea', 'flac/ecg2_8bit.flac'])('%s is none', (path) => {
    expect(archiveKindOf(fileOf(join(dataFolder, path)))).toBeUndefined();
  });

  test('records of one name in two folders keep their own signal files', async () => {
    const [hea, dat] = ['100_3chan.hea', '100_3chan.dat'].map(
      (name) => fileOf(join(dataFolder, 'wfdb', name)).source,
    );
    const bytes = (source: typeof hea): Uint8Array => source!.read(0, source!.sizeBytes);
    const { files } = await unpack(
      makeZip(
        ['a', 'b'].flatMap((folder) => [
          member(`${folder}/100_3chan.hea`, { content: bytes(hea) }),
          member(`${folder}/100_3chan.dat`, { content: bytes(dat) }),
        ]),
      ),
    );
    const { records } = groupFiles(files);
    expect(
      records.map(({ given: [main, ...companions] }) => [main!.name, companions.map(({ name }) => name)]),
    ).toEqual([
      ['a/100_3chan.hea', ['a/100_3chan.dat']],
      ['b/100_3chan.hea', ['b/100_3chan.dat']],
    ]);
  });
});

describe('packed files and archives in archives', () => {
  const record = ['100_3chan.hea', '100_3chan.dat'].map(
    (name): TarMember => ({ name, content: readFileSync(join(dataFolder, 'wfdb', name)) }),
  );
  const packers = [
    ['bz2', ['bzip2', '-c']],
    ['xz', ['xz', '-c']],
    ['zst', undefined],
  ] as const;

  /** Packed by the program of the system; Zstandard by Node. */
  function packed(bytes: Uint8Array, command: readonly [string, string] | undefined): Uint8Array | undefined {
    if (command === undefined) return zstdCompressSync(bytes);
    const { status, stdout } = spawnSync(command[0], [command[1]], { input: bytes, maxBuffer: 1 << 26 });
    return status === 0 ? stdout : undefined;
  }

  test.each(packers)('a tar archive in %s, cut off, and a single file', async (ending, command) => {
    const whole = packed(makeTar(record), command);
    if (whole === undefined) return console.log(`Left out: ${command?.[0]} is not on this machine.`);
    expect(await names(whole)).toEqual(['100_3chan.hea', '100_3chan.dat']);
    await expect(unpack(whole.subarray(0, whole.length / 2))).rejects.toMatchObject(
      refusal('archive_corrupt'),
    );
    const single = packed(text('one file'), command)!;
    const { files } = await unpackInMemory(bytesFile(`a.hea.${ending}`, single));
    expect(files.map(({ name }) => name)).toEqual(['a.hea']);
  });

  test('are opened one level deep, as a folder of their own name', async () => {
    const inner = makeZip([member('b.hea'), { name: 'deep.zip', content: makeZip([member('c.hea')]) }]);
    const outer = makeZip([member('a.hea'), { name: 'inner.zip', content: inner }]);
    expect(await names(outer)).toEqual(['a.hea', 'inner.zip/b.hea', 'inner.zip/deep.zip']);
  });

  test('one that is damaged stays packed and is said; limits count for all together', async () => {
    const inner = makeZip([member('b.hea')]);
    const broken = inner.slice();
    broken[40] = (broken[40] ?? 0) ^ 0xff;
    const outer = makeZip([member('a.hea'), { name: 'inner.zip', content: broken }]);
    expect(await names(outer)).toContain('inner.zip');
    expect(await codes(outer)).toEqual(['inner_archive_unreadable']);
    const many = makeZip([{ name: 'inner.zip', content: makeZip([member('1'), member('2'), member('3')]) }]);
    await expect(unpack(many, { ...UNPACK_LIMITS, members: 3 })).rejects.toMatchObject(
      refusal('archive_too_large'),
    );
  });

  test('of one that is damaged behind its first files, none is taken', async () => {
    const inner = makeZip([member('b.hea'), member('c.hea')]);
    const broken = inner.slice();
    const second = Buffer.from(broken).indexOf('content of c.hea');
    broken[second] = (broken[second] ?? 0) ^ 0xff;
    const outer = makeZip([member('a.hea'), { name: 'inner.zip', content: broken }]);
    expect(await names(outer)).toEqual(['a.hea', 'inner.zip']);
  });

  test('a single packed file takes the place of what it was packed in', async () => {
    const outer = makeZip([
      { name: 'p/rec.hea', content: text('header') },
      { name: 'p/rec.dat.gz', content: gzipSync(text('signal')) },
    ]);
    expect(await names(outer)).toEqual(['p/rec.hea', 'p/rec.dat']);
  });

  test('several frames of Zstandard are one file', async () => {
    const frames = Buffer.concat([zstdCompressSync(text('one ')), zstdCompressSync(text('file'))]);
    const { files } = await unpackInMemory(bytesFile('a.txt.zst', frames));
    expect(new TextDecoder().decode(files[0]?.source.read(0, 100))).toBe('one file');
  });

  test('bzip2 is unpacked block by block: a bomb is stopped at its limit', async () => {
    const zeros = new Uint8Array(200 * 2 ** 20);
    const bomb = packed(zeros, ['bzip2', '-c']);
    if (bomb === undefined) return console.log('Left out: bzip2 is not on this machine.');
    expect(bomb.length).toBeLessThan(1000);
    let written = 0;
    const sink = {
      begin: () => undefined,
      write(bytes: Uint8Array): void {
        written += bytes.length;
      },
      end: () => undefined,
      remove: () => undefined,
    };
    const limits = { ...UNPACK_LIMITS, memberBytes: 2 ** 20 };
    const file = bytesFile('zeros.bz2', bomb);
    await expect(unpackArchive(file, 'bzip2', sink, { limits })).rejects.toMatchObject({
      reason: 'archive_too_large',
    });
    expect(written).toBeLessThan(50 * 2 ** 20);
  });
});
