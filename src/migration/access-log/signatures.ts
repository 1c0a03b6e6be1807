// Files that are no logs, or none that can be read as they are: told by their first bytes.

const signatures: readonly (readonly [RegExp, string])[] = [
  [/^(?:\xff\xfe|\xfe\xff)/, 'is UTF-16 text. Convert it first: iconv -f UTF-16 -t UTF-8'],
  [/^(?:[^\0]\0){8}|^(?:\0[^\0]){8}/, 'is UTF-16 text. Convert it first: iconv -f UTF-16LE -t UTF-8'],
  [/^PK\x03\x04/, 'is a ZIP archive. Unpack it first'],
  [/^7z\xbc\xaf\x27\x1c/, 'is a 7z archive. Unpack it first'],
  [/^Rar!/, 'is a RAR archive. Unpack it first'],
  [/^[\s\S]{257}ustar/, 'is a tar archive. Unpack it first: tar -xf'],
  [/^\x1f\x8b|^\x28\xb5\x2f\xfd|^\xfd7zXZ\0|^BZh\d1AY/, 'is compressed twice. Decompress it once'],
  [/^\x04\x22\x4d\x18/, 'is compressed with lz4. Decompress it first: lz4 -d'],
  [/^\x1f\x9d/, 'is compressed with compress. Decompress it first: uncompress'],
  [/^LZIP/, 'is compressed with lzip. Decompress it first: lzip -d'],
  [/^\x5d\0\0[\s\S]{2}\0/, 'is compressed with lzma. Decompress it first: unlzma'],
  [/^PAR1/, 'is a Parquet file. Export the logs as text or JSON'],
  [/^LPKSHHRH/, 'is a systemd journal. Export it as text first: journalctl -o cat'],
  [/^SQLite format 3\0/, 'is an SQLite database'],
]

/** Bytes that are looked at. */
const HEAD_BYTES = 512

/** @returns what a file is that holds no lines of text; `null` where it may hold some */
export function problemOf(head: Buffer): string | null {
  const text = head.toString('latin1', 0, HEAD_BYTES)
  return signatures.find(([signature]) => signature.test(text))?.[1] ?? null
}

/** Whether a text from the beginning of a file is nothing that a server writes. */
export function isBinary(text: string): boolean {
  return /[\0-\x08\x0e-\x1a]/.test(text.slice(0, HEAD_BYTES))
}
