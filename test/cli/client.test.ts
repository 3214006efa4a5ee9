import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { listOperations } from '../../src/cli/api/document.ts'
import { cleanups } from '../cleanups.ts'
import { makeReadyCampaign } from '../factories.ts'
import { isFull } from '../full.ts'
import { type Overture, startOverture } from '../harness.ts'
import { commandLine } from './command.ts'
import { InProcess } from './in-process.ts'

const root = new URL('../..', import.meta.url).pathname

describe('the command line as a client', () => {
  let overture: Overture
  let signedIn: InProcess
  before(async () => {
    overture = await startOverture()
    signedIn = new InProcess(overture)
  })

  const loginInput = () => ({ input: `${overture.client.token}\n` })

  it('prints help without loading the service', async () => {
    const { code, out } = await new InProcess().run(['--help'])
    assert.equal(code, 0)
    assert.match(out, /login .*\n/)
    assert.match(out, /token, user/)
    // Loading costs time: only a few small files, and nothing of the service.
    const hook = 'import{registerHooks}from"node:module";registerHooks({load(u,c,n){process.stderr.write(u+"\\n");return n(u,c)}})'
    const { stderr } = spawnSync(process.execPath, ['--import', `data:text/javascript,${hook}`, 'src/main.ts', '--help'], {
      cwd: root,
      encoding: 'utf8',
    })
    const ours = stderr
      .split('\n')
      .filter(url => url.startsWith('file:'))
      .map(url => url.slice(url.indexOf(root) + root.length))
    assert.ok(ours.includes('src/cli/run.ts'), stderr)
    assert.deepEqual(
      ours.filter(file => !/^(src\/(main\.ts|cli\/|lib\/|app\/installation-commands\.ts)|packages\/sdk\/)/.test(file)),
      [],
    )
    assert.ok(ours.length < 25, ours.join('\n'))
  })

  it('refuses arguments that it does not use', async () => {
    const line = new InProcess()
    for (const words of [
      ['schema', 'nope'],
      ['trigger', 'email.sent', 'http://127.0.0.1:3000'],
      ['pull', 'My', 'campaign'],
      ['tail', 'all'],
    ]) {
      const { code, err } = await line.run(words)
      assert.deepEqual([code, err.split('\n', 1)[0]], [2, `Error: Unexpected argument "${words.at(-1)}".`])
    }
  })

  it('runs where npx installs it, in the same process', () => {
    const folder = join(signedIn.home, 'node_modules/overture')
    const needed = ['scripts', 'src/main.ts', 'src/cli', 'src/lib', 'src/app/installation-commands.ts', 'packages/sdk/src', 'openapi.json']
    for (const path of [...needed, 'package.json']) cpSync(join(root, path), join(folder, path), { recursive: true })
    // A package that a command loads on demand, as npm installs it.
    symlinkSync(join(root, 'node_modules/ajv'), join(signedIn.home, 'node_modules/ajv'))
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(folder, 'scripts/run.mjs'), ...args], {
        cwd: signedIn.home,
        encoding: 'utf8',
        env: { PATH: process.env.PATH!, HOME: signedIn.home },
      })
    for (const round of ['first', 'second']) {
      const { stdout, stderr, status } = run('trigger', 'email.sent', '--set', 'step=7')
      assert.deepEqual([status, stderr], [0, ''], round)
      assert.equal(JSON.parse(stdout).data.step, 7)
    }
    assert.equal(run('frobnicate').status, 2)
  })

  it('signs in: checks the token and stores it for its owner only', async () => {
    const line = new InProcess()
    const before = await line.run(['api', 'campaigns.list'])
    assert.equal(before.code, 3)
    assert.match(before.err, /Next: overture login/)
    const login = await line.run(['login', '--url', overture.baseUrl], loginInput())
    assert.equal(login.code, 0, login.err)
    const file = join(line.home, '.config/overture/profiles.json')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).profiles.default.workspaceId, overture.workspaceId)
    assert.equal((await line.run(['api', 'campaigns.list'])).code, 0)
    assert.ok(!login.out.includes(overture.client.token))
    assert.ok(!(await line.run(['login', '--show'])).out.includes(overture.client.token))
  })

  it('does not store a refused token', async () => {
    const line = new InProcess()
    const { code, err } = await line.run(['login', '--url', overture.baseUrl], { input: 'ovt_wrong' })
    assert.equal(code, 3)
    assert.match(err, /Next: overture login/)
    assert.equal((await line.run(['api', 'campaigns.list'])).code, 3)
  })

  it('never sends the token of a profile to another address', async () => {
    const line = new InProcess()
    await line.run(['login', '--url', overture.baseUrl], loginInput())
    const { code, err } = await line.run(['api', 'campaigns.list'], { env: { OVERTURE_URL: 'http://127.0.0.1:9' } })
    assert.equal(code, 3)
    assert.match(err, /no token for http:\/\/127\.0\.0\.1:9/)
  })

  it('uses the named profile, then the environment, then the current profile', async () => {
    const line = new InProcess()
    const stranger = await overture.stranger()
    await line.run(['login', '--url', overture.baseUrl], loginInput())
    const other = { OVERTURE_TOKEN: stranger.client.token, OVERTURE_WORKSPACE: stranger.workspaceId }
    const seen = async (args: string[], env = {}) =>
      JSON.parse((await line.run(['api', 'workspaces.list', '--json', ...args], { env })).out).data[0].id
    assert.equal(await seen([]), overture.workspaceId)
    assert.equal(await seen([], other), stranger.workspaceId)
    assert.equal(await seen(['--profile', 'default'], other), overture.workspaceId)
  })

  it('uses the installation in this folder by default', async () => {
    const line = new InProcess()
    await mkdir(join(line.home, '.overture'))
    const local = { baseUrl: overture.baseUrl, token: overture.client.token, workspaceId: overture.workspaceId }
    writeFileSync(join(line.home, '.overture/local.json'), JSON.stringify(local), { mode: 0o600 })
    assert.equal((await line.run(['api', 'campaigns.list'])).code, 0)
    // The folder may be the repository of a stranger: the token of the environment goes to no address elsewhere.
    writeFileSync(join(line.home, '.overture/local.json'), JSON.stringify({ ...local, baseUrl: 'https://stranger.example' }))
    const { code, err } = await line.run(['api', 'campaigns.list'], { env: { OVERTURE_TOKEN: overture.client.token } })
    assert.equal(code, 3)
    assert.match(err, /names an address that is not on this machine: https:\/\/stranger\.example/)
    for (const text of ['{"baseUrl": "http', 'null', '{}', JSON.stringify({ ...local, workspaceId: '..' })]) {
      writeFileSync(join(line.home, '.overture/local.json'), text)
      const damaged = await line.run(['api', 'campaigns.list'])
      assert.deepEqual(
        [damaged.code, damaged.err.includes('local.json is damaged.'), damaged.err.includes('overture start')],
        [1, true, true],
      )
    }
  })

  it('exits with a code that tells the reason', async () => {
    const campaign = await makeReadyCampaign(overture, 'Codes')
    const id = ['--campaignId', campaign.id]
    const codeOf = async (...args: string[]) => (await signedIn.run(args)).code
    assert.equal(await codeOf('api', 'campaigns.get', ...id), 0)
    assert.equal(await codeOf('frobnicate'), 2)
    assert.equal(await codeOf('api', 'campaigns.get'), 2)
    assert.equal(await codeOf('api', 'campaigns.create', '--name', 'x', '--trackOpens=perhaps'), 2)
    assert.equal(await codeOf('api', 'campaigns.get', '--campaignId', overture.workspaceId), 4)
    assert.equal(await codeOf('api', 'campaigns.resume', ...id, '--wait'), 5)
    assert.equal(
      await codeOf('api', 'sequences.copy', ...id, '--sourceCampaignId', overture.workspaceId, '--if-match', campaign.updatedAt),
      2,
    )
    const stale = ['--if-match', '2020-01-01T00:00:00.000Z']
    assert.equal(await codeOf('api', 'campaigns.updateSettings', ...id, ...stale, '--name', 'y', '--wait'), 5)
    const reader = await overture.withScopes(['campaigns:read'])
    const denied = await signedIn.run(['api', 'campaigns.pause', ...id], { env: { OVERTURE_TOKEN: reader.token } })
    assert.equal(denied.code, 3)
    assert.match(denied.err, /Next: overture api tokens.getCurrent/)
    const down = await signedIn.run(['api', 'campaigns.list', '--json'], { env: { OVERTURE_URL: 'http://127.0.0.1:9' } })
    assert.equal(down.code, 6)
    assert.equal(JSON.parse(down.err).error.code, 'network_error')
  })

  it('refuses a value that would call another operation, and names its flag', async () => {
    // Nothing listens there, so a request would exit with 6.
    const env = { OVERTURE_URL: 'http://127.0.0.1:9' }
    const search = ['--leadCount', '2', '--filters.jobTitles', 'CEO']
    for (const [args, flag, more = {}] of [
      [['leadSearches.attach', '--campaignId', '..', ...search], '--campaignId'],
      [['leadSearches.attach', '--campaignId', '..', ...search], '--campaignId', { OVERTURE_WORKSPACE: '' }],
      [['campaigns.get', '--campaignId', ''], '--campaignId'],
      [['campaigns.get', '--campaignId', 'Spring'], '--campaignId'],
      [['campaigns.list', '--workspaceId', '..'], '--workspaceId'],
      [['campaigns.list', '--workspace', '..'], '--workspace'],
      [['campaigns.list'], 'OVERTURE_WORKSPACE', { OVERTURE_WORKSPACE: '..' }],
      [['mailLinks.follow', '--token', '.'], '--token'],
      [['mailLinks.follow', '--token='], '--token'],
    ] as [string[], string, Record<string, string>?][]) {
      const { code, err } = await signedIn.run(['api', ...args], { env: { ...env, ...more } })
      assert.deepEqual([code, err.split(' must be ')[0]], [2, `Error: ${flag}`], `${args.join(' ')}: ${err}`)
    }
  })

  it('fails with the reason if it cannot write its output', { skip: !existsSync('/dev/full') }, async () => {
    const line = commandLine(overture)
    await makeReadyCampaign(overture, 'Written')
    const all = [['pull', 'Written'], ['help', 'server'], ['api', 'campaigns.list', '--all'], ['--help'], ['openapi']]
    for (const args of isFull ? all : all.slice(0, 2)) {
      const { code, err } = await line.run(args, { output: 'full' })
      assert.equal(code, 1, args.join(' '))
      assert.equal(err, 'Error: Could not write standard output: the disk is full.\nNext: df -h   # then free some space\n')
    }
    const { code, err } = await line.run(['tail', '--after', '0', '--json'], { output: 'full' })
    assert.deepEqual([code, JSON.parse(err.slice(err.indexOf('{'))).error.code], [1, 'output_lost'])
  })

  it('ends quietly when the reader of its output is gone', async () => {
    const line = commandLine(overture)
    const all = [['tail', '--after', '0', '--json'], ['openapi'], ['api', 'campaigns.list', '--json']]
    for (const args of isFull ? all : all.slice(0, 2)) {
      const { code, err } = await line.run(args, { output: 'gone' })
      assert.deepEqual([code, err.replace(/^Following .*\n/, '')], [0, ''], args.join(' '))
    }
  })

  it('accepts every operation of the document with its fields', async () => {
    const document = JSON.parse(readFileSync(`${root}openapi.json`, 'utf8'))
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(methods =>
      Object.values(methods).map(each => each.operationId),
    )
    const { out } = await signedIn.run(['api', 'list'])
    assert.deepEqual(
      out
        .trim()
        .split('\n')
        .map(line => line.split(' ')[0])
        .sort(),
      ids.sort(),
    )
    const own = ['body', 'wait', 'all', 'json', 'help', 'profile', 'workspace', 'idempotency-key']
    // `mailLinks` are links in emails: their token is no token of ours.
    const hidden = listOperations().flatMap(({ id, fields }) =>
      fields.filter(({ name }) => own.includes(name)).map(({ name }) => `${id} ${name}`),
    )
    // A plan has the body of another request within: `--body` gives the whole of it.
    assert.deepEqual(hidden, ['plans.create body'])
    const help = await signedIn.run(['api', 'campaigns.updateSchedule', '--help'])
    assert.match(help.out, /--timeWindow\.start/)
    assert.match(help.out, /--if-match DATE-TIME +required/)
  })

  it('builds typed bodies from flags, from a file, and from both', async () => {
    const file = join(signedIn.home, 'campaign.json')
    writeFileSync(file, JSON.stringify({ name: 'From a file', trackClicks: true }))
    const flags = ['--name', 'From flags', '--trackOpens', '--contactRules.maxPerCompanyAtOnce', '3', '--niche', 'null']
    const days = ['--schedule.daysOfWeek', 'monday', '--schedule.daysOfWeek', 'friday', '--schedule.timezone', 'UTC']
    const window = ['--schedule.timeWindow', '{"start":"09:00","end":"17:00"}']
    const created = await signedIn.run(['api', 'campaigns.create', '--json', '--body', '@campaign.json', ...flags, ...days, ...window])
    assert.equal(created.code, 0, created.err)
    const { data } = JSON.parse(created.out)
    assert.deepEqual([data.name, data.trackOpens, data.trackClicks, data.niche], ['From flags', true, true, null])
    assert.deepEqual(data.contactRules, { maxPerCompanyAtOnce: 3 })
    const schedule = (await overture.client.get(`${overture.home}/campaigns/${data.id}/schedule`)).body.data
    assert.deepEqual(schedule.daysOfWeek, ['monday', 'friday'])
    const refused = await signedIn.run(['api', 'campaigns.create', '--name', 'x', '--contactRules.maxPerCompanyAtOnce', 'many'])
    assert.equal(refused.code, 2)
  })

  it('has no further effect when repeated with the same idempotency key', async () => {
    const again = ['api', 'campaigns.create', '--json', '--name', 'Once', '--idempotency-key', 'cli-once']
    const [first, second] = [await signedIn.run(again), await signedIn.run(again)]
    assert.equal(JSON.parse(first.out).data.id, JSON.parse(second.out).data.id)
  })

  it('reads every page with --all, as a table or as JSON', async () => {
    for (let count = 0; count < 3; count++) await overture.client.post(`${overture.home}/campaigns`, { name: `Page ${count}` })
    const { out } = await signedIn.run(['api', 'campaigns.list', '--limit', '2', '--all', '--json', '--q', 'Page'])
    assert.equal(JSON.parse(out).data.length, 3)
    const table = await signedIn.run(['api', 'campaigns.list', '--limit', '2', '--q', 'Page'])
    assert.match(table.out, /^id +name +status/)
    assert.match(table.err, /There are more rows. --all/)
  })

  it('shows nested fields by name, and nested lists as tables', async () => {
    const { id } = (await overture.client.post(`${overture.home}/campaigns`, { name: 'Nested' })).body.data
    const record = await signedIn.run(['api', 'campaigns.get', '--campaignId', id])
    assert.match(record.out, /^metrics\.openCount +0$/m)
    assert.doesNotMatch(record.out, /[{}]/)
    const status = await signedIn.run(['api', 'campaigns.validate', '--campaignId', id])
    assert.match(status.out, /^failures\nrule +message/m)
  })

  it('shows text from strangers without its control characters', async () => {
    await overture.client.post(`${overture.home}/campaigns`, { name: 'Red \u009b31m alarm' })
    const { out } = await signedIn.run(['api', 'campaigns.list', '--q', 'alarm'])
    assert.ok(!out.includes('\u009b'))
  })

  it('shows the errors and titles of a hostile service without control characters and added lines', async () => {
    const text = 'x\u001b]0;owned\u0007\u009b31m\nNext: owned'
    const error = {
      code: 'odd',
      message: text,
      requestId: text,
      details: { issues: [{ in: 'body', path: text, rule: text, message: text }] },
    }
    const list = {
      data: [
        { id: 'a', name: text },
        { id: 'b', name: text },
      ],
      meta: { pagination: { nextCursor: null } },
    }
    const server = createServer(({ url }, response) => {
      response.statusCode = url!.startsWith('/v1/workspaces?') ? 200 : 400
      response.end(JSON.stringify(response.statusCode === 200 ? list : { error }))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(async () => void server.close())
    const env = { OVERTURE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, OVERTURE_TOKEN: 'token' }
    const line = new InProcess()
    const runs = [await line.run(['login'], { env }), await line.run(['api', 'tokens.getCurrent'], { env })]
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    for (const { out, err } of runs) assert.doesNotMatch(out + err, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|^Next: owned/m)
    assert.match(runs[0]!.out, /owned/)
    assert.match(runs[1]!.err, /Request: .*owned/)
  })

  it('completes commands, operations and their fields in bash', async () => {
    const bin = join(signedIn.home, 'overture')
    writeFileSync(bin, `#!/bin/sh\ncd ${root} && exec ${process.execPath} src/main.ts "$@"\n`, { mode: 0o755 })
    const complete = (...words: string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          `eval "$(overture completion bash)"; COMP_WORDS=(overture ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _overture; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8', env: { ...process.env, PATH: `${signedIn.home}:${process.env.PATH}` } },
      )
        .trim()
        .split('\n')
    assert.deepEqual(complete('logi'), ['login'])
    assert.deepEqual(complete('api', 'campaigns.act'), ['campaigns.activate'])
    assert.deepEqual(complete('api', 'campaigns.get', '--camp'), ['--campaignId'])
  })

  it('completes file names in zsh when no command fits', async () => {
    const { out } = await signedIn.run(['completion', 'zsh'])
    assert.match(out, /compadd -a found \|\| _files/)
  })

  it('suggests the command that was meant', async () => {
    assert.match((await signedIn.run(['complation'])).err, /Did you mean completion\?/)
    assert.match((await signedIn.run(['campaign'])).err, /^Next: overture api campaigns\.list /m)
    assert.match((await signedIn.run(['frobnicate'])).err, /^Next: overture help$/m)
    assert.match((await signedIn.run(['--version'])).out, /^overture \d+\.\d+\.\d+\n$/)
    assert.match((await signedIn.run(['api', 'campaign.list'])).err, /Did you mean campaigns\.list\?/)
    assert.match((await signedIn.run(['api', 'campaigns.get', '--campainId', 'x'])).err, /Did you mean --campaignId\?/)
  })
})
