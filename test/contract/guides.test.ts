import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { InProcess } from '../cli/in-process.ts'
import { makeReadyCampaign } from '../factories.ts'
import { type Overture, startOverture } from '../harness.ts'
import { makeCampaign } from '../sending.ts'

const run = promisify(execFile)
const ROOT = new URL('../../', import.meta.url).pathname
const pages = [
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md') && !name.startsWith('decisions/'))
    .map(name => `docs/${name}`)
    .sort(),
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'console/README.md', 'packages/sdk/README.md'],
]
const blocksOf = (page: string): { language: string; code: string }[] =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(sh|bash|ts|js|python|py)\n(.*?)^```$/gms)].map(([, language, code]) => ({
    language: language!,
    code: code!,
  }))
const shellOf = (page: string) =>
  blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code)

const shell = pages.flatMap(page => shellOf(page).map(code => ({ page, code })))
/** Functions that the other examples of the page use. */
const isHelper = (code: string): boolean => /^\w+\(\) \{.*\}\n$/.test(code)
/** Calls of the API. */
const isCurl = (code: string): boolean => /^curl /m.test(code)
/** Commands of the command line. */
const isTyped = (code: string): boolean =>
  code
    .replaceAll('\\\n', ' ')
    .trim()
    .split('\n')
    .every(line => /^(?:echo "[^"]*" \| |source <\()?overture /.test(line))
/** Pages with shell that another test runs, or none, and why. */
const ELSEWHERE: Record<string, string> = {
  'README.md': 'test/contract/readme.test.ts runs the tour; the rest starts services',
  'docs/quickstart.md': 'test/contract/readme.test.ts runs the tour; the rest starts services',
  'CONTRIBUTING.md': 'starts services, benchmarks and this test run itself',
  'console/README.md': 'starts services and this test run itself',
  'docs/internals/adding-an-endpoint.md': 'writes files of the sources; other tests fail when it was not run',
  'docs/operate.md': 'clones, packs and builds images; backup and restore are run by test/cli/backup.test.ts',
  'docs/api.md': 'packs the SDK, which test/contract/install.test.ts does, too; the generator for Python is not ours',
  'docs/guides/webhooks.md': 'packages/sdk/test/guides.test.ts verifies signatures in a shell',
}
/** Commands of the guides that another test runs in the same words. */
const COMMANDS_ELSEWHERE: Record<string, string> = {
  login: 'test/cli/client.test.ts',
  mailbox: 'test/cli/mailbox.test.ts, with mail servers',
  doctor: 'test/cli/doctor.test.ts, with databases',
  backup: 'test/cli/backup.test.ts',
  restore: 'test/cli/backup.test.ts',
  rehearse: 'test/cli/rehearse.test.ts',
  completion: 'test/cli/client.test.ts',
  people: 'src/modules/people/csv-import-tasks.test.ts, with the database',
}

describe('the code of the guides', () => {
  let overture: Overture
  let line: InProcess
  let variables: Record<string, string>
  let receiverUrl: string
  before(async () => {
    overture = await startOverture()
    const { client, home, baseUrl } = overture
    line = new InProcess(overture)
    const people = ['interested', 'silent', 'lacks', 'lacks-too'].map(name => ({
      email: `${name}+1@people.example`,
      firstName: 'Ann',
      ...(name.startsWith('lacks') ? {} : { variables: { city: 'Rome' } }),
    }))
    const steps = [0, 3].map(delayDays => ({ delayDays, variants: [{ subject: 'Hello {{ firstName }}', body: 'How is {{ city }}?' }] }))
    const schedule = {
      daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      timeWindow: { start: '00:00', end: '23:59' },
      timezone: 'UTC',
    }
    const { campaignId: id } = await makeCampaign(overture, { leads: people.slice(0, 2), steps, campaign: { name: 'Spring', schedule } })
    await client.operate('POST', `${home}/campaigns/${id}/leads/import`, { leads: people.slice(2) })
    await client.operate('POST', '/v1/sandbox/clock', { advance: { days: 2 } })
    const replies = (await client.get(`${home}/replies`)).body.data as { id: string; kind: string }[]
    const leads = (await client.get(`${home}/campaigns/${id}/leads`)).body.data as { id: string; email: string; status: string }[]
    const skipped = leads.filter(({ status }) => status === 'skipped')
    const target = (await client.post(`${home}/campaigns`, { name: 'Target' })).body.data.id
    const providers = (await client.get(`${home}/providers`)).body.data
    const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()))
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
    receiver.unref()
    receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`
    const hook = (await client.post(`${home}/webhooks`, { url: receiverUrl, events: ['email.sent'] })).body.data
    for (const name of ['people.csv', 'leads.csv'])
      writeFileSync(
        join(line.home, name),
        'Kontakt,Email,Work mail,Notiz,Notes,icebreaker\na@csv.example,a@csv.example,a@csv.example,x,y,z\nnobody,nobody,nobody,,,\n',
      )
    writeFileSync(join(line.home, 'blocked.csv'), 'email\neve@blocked.example\n')
    const rejected = await client.operate('POST', `${home}/campaigns/${id}/leads/import`, { leads: [{ email: 'nobody' }] })
    variables = {
      W: `${baseUrl}${home}`,
      C: `${baseUrl}${home}/campaigns/${id}`,
      TOKEN: client.token,
      LEAD: skipped[0]!.id,
      SKIPPED: skipped[1]!.id,
      REPLY: replies[0]!.id,
      HOOK: hook.id,
      SECRET: hook.secret,
      CAMPAIGN: id,
      MAILBOX: providers[0].id,
      OTHER_CAMPAIGN: target,
      OPERATION: rejected.id,
      DRAFT: (await makeReadyCampaign(overture, 'Planned')).id,
      READY: (await makeReadyCampaign(overture, 'Ready')).id,
    }
  })

  /** The ids and addresses that a guide makes up become those of this service. */
  const real = (code: string) =>
    code
      .replaceAll('campaigns.create --name Spring', 'campaigns.create --name Summer')
      .replaceAll(/(campaigns.activate --campaignId )[\w-]+/g, `$1${variables.READY}`)
      .replaceAll(/(--campaignId )0197b1c2-0000-7000-8000-\d{12}/g, `$1${variables.CAMPAIGN}`)
      .replaceAll('http://127.0.0.1:3000/webhooks', receiverUrl)
      .replaceAll('http://127.0.0.1:8080', overture.baseUrl)
      // A refusal that the guide announces.
      .replaceAll(/^(curl .*?) +# 403 (\w+)$/gm, `{ $1 || true; } | grep '"$2"'`)
      .replaceAll('curl -N ', 'curl -N --max-time 1 ')

  /** Fails with the refusal. The stream has no end: to be cut off is its good end (28). */
  const CURL = `
    curl() { command curl -sS --fail-with-body "$@" || [ $? = 28 ]; }
    jq() { if [ "$1" = -r ]; then node -p "JSON.parse(require('fs').readFileSync(0, 'utf8'))$2"; else cat; fi; }
    overture() { echo "$*"; }
    set -euo pipefail`

  for (const { page, code } of shell.filter(({ code }) => isCurl(code))) {
    const title = /"?\$[CW][^" ]*|sandbox\/clock/.exec(code)?.[0] ?? ''
    it(`runs against a service: ${page}, ${title}`, async () => {
      const { stdout } = await run('bash', ['-c', [CURL, ...shellOf(page).filter(isHelper), real(code)].join('\n')], {
        cwd: line.home,
        // A lead that got its missing variable is already queued, and is not queued again.
        env: {
          PATH: process.env.PATH,
          ...variables,
          ...(code.includes('/requeue') ? { LEAD: variables.SKIPPED } : {}),
          ...(code.includes('/plans') ? { CAMPAIGN: variables.DRAFT } : {}),
        },
      }).catch(error => assert.fail(`${error.stdout}${error.stderr}\n${code}`))
      // A test clock needs an installation without real mailboxes.
      if (code.includes('"kind": "smtp"')) {
        const { data } = JSON.parse(stdout)
        assert.equal(data.status, 'unverified')
        await overture.client.delete(`${overture.home}/providers/${data.id}`)
      }
      const failed = /"id":"([\w-]+)",(?:"action":"[\w.]+",)?"status":"failed"/.exec(stdout)
      if (code.includes('/plans')) assert.match(stdout, /"status":"applied"/)
      assert.equal(failed && (await overture.client.get(`/v1/operations/${failed[1]}`)).body.error, null)
    })
  }

  for (const page of pages.filter(name => shellOf(name).some(isTyped))) {
    it(`runs at the command line: ${page}`, async () => {
      const commands = shellOf(page)
        .filter(isTyped)
        .flatMap(code => code.replaceAll('\\\n', ' ').trim().split('\n'))
      for (const command of commands) {
        const [, typed, rest] =
          /^(?:echo "([^"]*)" \| |source <\()?overture (.*)$/.exec(real(command)) ?? assert.fail(`who runs ${command}?`)
        const [bare] = rest!.split(/ +#| \||\)$| >/)
        const filled = bare!.replaceAll('"$SECRET"', variables.SECRET!).replace(/( ID)+$|(?<= )ID(?= )/, ` ${variables.REPLY}`)
        const args = [...filled.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+=?"[^"]*"|\S+)/g)].map(
          ([whole, a, b]) => a ?? b ?? whole.replaceAll('"', ''),
        )
        if (Object.hasOwn(COMMANDS_ELSEWHERE, args[0]!)) continue
        if (args[0] === 'tail' || args[0] === 'listen') {
          const running = line.start(args)
          if (args.includes('--after') || args[0] === 'listen') await running.until(args[0] === 'listen' ? 'whsec_' : 'email.sent')
          assert.equal((await running.stop()).code, 130, command)
          continue
        }
        // The guides over HTTP have already answered the same reply.
        if (args[1] === 'answer') args.push('--again')
        if (args[0] === 'apply') args[3] = (await line.json(['plan', 'campaign.yaml'])).plan
        const given =
          args[0]!.startsWith('import') && !args.includes('--dry-run') && !args.includes('--yes')
            ? { input: 'y\n', isTyped: true }
            : { input: typed ?? '' }
        const { code, out, err } = await line.run(args, given)
        if (args[0] === 'pull') writeFileSync(join(line.home, 'campaign.yaml'), out)
        const isRejected = args[0]!.startsWith('import') && err.includes('rejected')
        assert.ok(code === 0 || isRejected, `${command} ended with ${code}:\n${args.join(' | ')}\n${out}${err}`)
      }
    })
  }

  it('is run for every page, or has a documented reason', () => {
    const rest = new Set(shell.filter(({ code }) => !isCurl(code) && !isTyped(code) && !isHelper(code)).map(({ page }) => page))
    assert.deepEqual([...rest].sort(), Object.keys(ELSEWHERE).sort())
    // packages/sdk/test runs the code that is not shell.
    const typed = pages.filter(page => blocksOf(page).some(({ language }) => language !== 'sh'))
    assert.deepEqual(typed, ['docs/guides/leads.md', 'docs/guides/webhooks.md', 'docs/reference/errors.md', 'packages/sdk/README.md'])
  })
})
