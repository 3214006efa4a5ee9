import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { correctableRecord, csvRecord, originalCell } from './csv.ts'
import { openCsv, readRow } from './csv-stream.ts'

const read = (text: string): string[][] => parse(text, { relax_column_count: true })

const hostile = fc.array(fc.constantFrom(...'aZ=+-@＝,;|\t\r\n "\u00a0'), { maxLength: 12 }).map(letters => letters.join(''))

describe('a CSV record', () => {
  it('is read equally by any RFC 4180 parser', () => {
    const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '"', ',', '\r\n', 'a"b', ' x ', 'é,ü'))
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 8 }), cells => {
        const harmless = cells.map(text => text.replace(/^\s+|[=+\-@\uff1d\uff0b\uff0d\uff20]/g, 'x').replaceAll('\u0000', ''))
        assert.deepEqual(read(csvRecord(['a', ...harmless])), [['a', ...harmless]])
      }),
    )
  })

  it('ends every line with CRLF and leaves missing values empty', () => {
    assert.equal(csvRecord(['a', null, 5, new Date(0)]), 'a,,5,1970-01-01T00:00:00.000Z\r\n')
  })

  it('has no cell that a spreadsheet would run', () => {
    for (const formula of ['=1+1', '+49 30', '-2', '@SUM(A1)', ' =1', '\u00a0=cmd', '＝1+1', '\tx', '\rx', '\nx']) {
      const [[cell]] = read(csvRecord([formula])) as [[string]]
      assert.equal(cell, `'${formula}`)
    }
    assert.equal(csvRecord(['=HYPERLINK("http://x","y")']), '"\'=HYPERLINK(""http://x"",""y"")"\r\n')
  })

  it('contains no formula for a spreadsheet that splits it differently or ignores quotes', () => {
    const signs = /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), cells => {
        const record = csvRecord(cells)
        for (const split of [/;/, /\|/, /\t/, /[\r\n]/, /[;\r\n]/, /[,;|\t\r\n]/]) {
          for (const seen of record.split(split)) assert.doesNotMatch(seen, signs, JSON.stringify({ record, seen }))
        }
      }),
    )
    assert.equal(csvRecord(['a;=1', 'b\n@c']), `a;'=1,"b\n'@c"\r\n`)
  })
})

describe('a record of a corrected file', () => {
  const tricky = fc.array(fc.constantFrom(...`aZ=+-@＝,;|\t\r\n "'\u00a0`), { maxLength: 12 }).map(letters => letters.join(''))

  it('has its original cells again, including apostrophes, quotes, tabs and line breaks before a sign', async () => {
    const cell = fc.oneof(tricky, fc.constantFrom('+49 30', "'+49 30", "''@ann", "' =1", "\t'=1", '" \t=1', "it's", "a;'=1", '\n', "'"))
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 4 }), async cells => {
        const file = correctableRecord(['line', 'reason', ...cells.map(() => 'x')]) + correctableRecord(['2', 'bad', ...cells])
        assert.deepEqual(read(file)[1]!.map(originalCell), ['2', 'bad', ...cells])
        const csv = await openCsv(Readable.from([Buffer.from(file)]))
        for await (const row of csv!.rows) assert.deepEqual(row.cells.map(originalCell), ['2', 'bad', ...cells])
      }),
    )
  })

  it('contains no formula, wherever a spreadsheet splits it', () => {
    const signs = /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/
    fc.assert(
      fc.property(fc.array(tricky, { minLength: 1, maxLength: 4 }), cells => {
        const record = correctableRecord(cells)
        for (const split of [/;/, /\|/, /\t/, /[\r\n]/, /[;\r\n]/, /[,;|\t\r\n]/]) {
          for (const seen of record.split(split)) assert.doesNotMatch(seen, signs, JSON.stringify({ record, seen }))
        }
      }),
    )
  })

  it('stays unchanged if no apostrophe was added', () => {
    for (const text of ['+49 30', '=1', "d'Arc", "'quoted'", "O'Neil; @ann", '']) assert.equal(originalCell(text), text)
  })
})

describe('an unclosed quote', () => {
  const rowsOf = async (text: string) => {
    const csv = await openCsv(Readable.from([Buffer.from(text)]))
    const rows: [number, string][] = []
    for await (const { line, cells, problem } of csv!.rows) rows.push([line, problem ?? cells.join('|')])
    return rows
  }

  it('rejects only its own row', async () => {
    const problem = 'a quote is not closed'
    assert.deepEqual(await rowsOf('email,company\r\nann@x.example,"Acme\r\n\r\nbob@x.example,B\r\ncid@x.example,C'), [
      [2, problem],
      [4, 'bob@x.example|B'],
      [5, 'cid@x.example|C'],
    ])
    assert.deepEqual(await rowsOf('email,company\nann@x.example,"Acme\nbob@x.example,"B"\n"cid@x.example","C\nc"\n'), [
      [2, problem],
      [3, 'bob@x.example|B'],
      [4, 'cid@x.example|C\nc'],
    ])
    assert.deepEqual(await rowsOf('email,company\nann@x.example,A\nbob@x.example,"'), [
      [2, 'ann@x.example|A'],
      [3, problem],
    ])
  })

  it('is not assumed for a cell with several lines, or a quote within its text', async () => {
    assert.deepEqual(await rowsOf('email,company\nann@x.example,"A\n""B"" C" \nbob@x.example,5" disks\n"cid@x.example","A ""B"" c"'), [
      [2, 'ann@x.example|A\n"B" C '],
      [4, 'bob@x.example|5" disks'],
      [5, 'cid@x.example|A "B" c'],
    ])
  })

  it('is not assumed for a cell of several lines with undoubled quotes: no line of it becomes a row', async () => {
    const rows = await rowsOf('email,note\nann@x.example,"Met at the fair, ask\nbob@y.example, he said "later""\ncid@z.example,ok')
    assert.deepEqual(
      rows.map(([, row]) => row.split('|')[0]),
      ['ann@x.example', 'cid@z.example'],
    )
    const noBreakSpace = String.fromCharCode(0xa0)
    assert.deepEqual(await rowsOf(`email,note\nann@x.example,"a\nb"${noBreakSpace}\nbob@x.example,B`), [
      [2, `ann@x.example|a\nb${noBreakSpace}`],
      [4, 'bob@x.example|B'],
    ])
  })

  it('does not cause repeated reads of the following lines', async () => {
    const lines = 180_000
    const rows = await rowsOf(`email,company\n${'x","y\n'.repeat(lines)}`)
    assert.equal(rows.length, lines)
  })
})

describe('a row of a CSV file', () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('a "b" c', 'x,y', 'zwei\nZeilen', 'mit\r\nUmbruch', 'Müller', '', '"', '日本', ' '),
  )
  const quoted = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

  it('has the cells that were written, and its text has them once more', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n'),
        fc.nat(40),
        async (rows, newline, size) => {
          const bytes = Buffer.from(`a,b${newline}${rows.map(row => row.map(quoted).join(',')).join(newline)}`)
          assert.deepEqual(parse(bytes, { relax_column_count: true }).slice(1), rows, 'an independent reader agrees')
          const pieces = Array.from({ length: Math.ceil(bytes.length / (size + 1)) }, (_, at) =>
            bytes.subarray(at * (size + 1), (at + 1) * (size + 1)),
          )
          const csv = (await openCsv(Readable.from(pieces)))!
          const read: string[][] = []
          for await (const { cells, text } of csv.rows) {
            read.push(cells)
            assert.deepEqual(readRow(text, 0, ',', true)!.cells, cells)
          }
          assert.deepEqual(
            read,
            rows.filter(row => row.some(each => each.trim() !== '')),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  const cellsOf = async (bytes: Buffer): Promise<string[][]> => {
    const rows: string[][] = []
    for await (const { cells } of (await openCsv(Readable.from([bytes])))!.rows) rows.push(cells)
    return rows
  }

  it('may be longer than a read buffer', async () => {
    const long = 'ä'.repeat(300_000)
    const rows = [
      ['a', long],
      [`b\n${long}`, 'c'],
      ['d', 'e'],
    ]
    assert.deepEqual(await cellsOf(Buffer.from(`a,b\na,${long}\n"b\n${long}",c\nd,e`)), rows)
  })

  it('may have stray quotes or few cells, between empty lines and in an old encoding', async () => {
    const bytes = Buffer.from('a;b\n5" pipe;x\n\n\r\na\nMüller;José\n', 'latin1')
    assert.deepEqual(await cellsOf(bytes), [['5" pipe', 'x'], ['a'], ['Müller', 'José']])
  })
})

describe('a file with carriage returns as line ends', () => {
  it('has the same rows as with line feeds, in every encoding and however it is split', async () => {
    const text = 'sep=;\remail;note\r\rann@x.example;"a; b"\rbób@x.example;"two\rlines"\rcid@x.example;"line\nfeed"\r'
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), Buffer.from(`\ufeff${text}`, 'utf16le')]) {
      for (const size of [1, 7, bytes.length]) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
        const csv = await openCsv(Readable.from(pieces))
        assert.deepEqual(csv!.header, ['email', 'note'])
        const rows: [number, ...string[]][] = []
        for await (const { line, cells } of csv!.rows) rows.push([line, ...cells])
        assert.deepEqual(rows, [
          [4, 'ann@x.example', 'a; b'],
          [5, 'bób@x.example', 'two\nlines'],
          [7, 'cid@x.example', 'line\nfeed'],
        ])
      }
    }
  })
})

describe('a file with two byte order marks', () => {
  it('has its first header, in quotes, too', async () => {
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const csv = await openCsv(Readable.from([Buffer.from('\ufeff\ufeff"email";"note"\nann@x.example;a\n', encoding)]))
      assert.deepEqual(csv!.header, ['email', 'note'], encoding)
    }
  })
})

describe('a file that mixes line ends', () => {
  it('ends its lines as most of its first lines do', async () => {
    for (const [text, count] of [
      ['email\rann@x.example\rbob@x.example\r\n', 2],
      ['email\rann@x.example\rbob@x.example\n', 2],
      ['email\nann@x.example\nb\rb@x.example\n', 2],
    ] as const) {
      const rows: string[][] = []
      const csv = await openCsv(Readable.from([Buffer.from(text)]))
      assert.deepEqual(csv!.header, ['email'])
      for await (const { cells } of csv!.rows) rows.push(cells)
      assert.equal(rows.length, count, JSON.stringify(text))
    }
  })
})

describe('a line of two hundred megabytes', () => {
  const PIECE = 64 * 1024
  const MOST_READ = 2 * 1024 * 1024

  it('is refused after a megabyte as a header, and rejects one row below a header, with or without a quote', async () => {
    for (const fill of ['a', ',', '"']) {
      let read = 0
      const pieces = async function* (head: string) {
        yield Buffer.from(head)
        for (const piece = Buffer.alloc(PIECE, fill); read < 200e6; read += PIECE) yield piece
        yield Buffer.from('\nada@people.example,Ada\n')
      }
      const headless = await openCsv(pieces(''))
      assert.match(headless!.headerProblem!, /longer than 1 MiB/)
      assert.ok(read < MOST_READ, `${read} bytes were read`)
      read = 0
      const csv = await openCsv(pieces('email,name\n'))
      const rows: string[] = []
      for await (const { problem, cells } of csv!.rows) rows.push(problem ? 'rejected' : cells[0]!)
      assert.deepEqual(rows, ['rejected', 'ada@people.example'])
    }
  })
})

describe('a row of a million cells', () => {
  it('is one rejected row, and never a million cells', async () => {
    for (const row of [','.repeat(1_000_000), `"${'a","'.repeat(200_000)}"`]) {
      assert.ok(readRow(row, 0, ',', true)!.cells.length <= 1001)
      const csv = await openCsv(
        (async function* () {
          yield Buffer.from(`email,name\n${row}\nada@people.example,Ada\n`)
        })(),
      )
      const rows: unknown[] = []
      for await (const { problem, cells } of csv!.rows) rows.push(problem ?? cells)
      assert.deepEqual(rows, ['the row has more than 1,000 cells', ['ada@people.example', 'Ada']])
    }
  })
})
