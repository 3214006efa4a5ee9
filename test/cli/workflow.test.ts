import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { parse, stringify } from 'yaml'
import { makeProvider } from '../factories.ts'
import { full } from '../full.ts'
import { type Overture, startOverture } from '../harness.ts'

const ROOT = join(import.meta.dirname, '../..')
const EXAMPLES = join(ROOT, 'docs/examples')

interface Step {
  uses?: string
  if?: string
  name?: string
  run?: string
  env?: Record<string, string>
  with?: Record<string, string | boolean>
}
interface Job {
  if?: string
  permissions?: Record<string, string>
  steps: Step[]
}
const workflow: { jobs: Record<string, Job>; permissions: Record<string, string> } = parse(
  readFileSync(join(EXAMPLES, 'plan-on-pull-request.yml'), 'utf8'),
)
const steps = Object.values(workflow.jobs).flatMap(job => job.steps)
const stepNamed = (name: string): Step => steps.find(step => step.name === name)!

const PULL_REQUEST = 7
const REPOSITORY = 'acme/campaigns'
const JOB_TOKEN = 'ghs_of_the_job'

interface Comment {
  id: number
  user: { login: string }
  body: string
}

/** The three routes of GitHub's API that the workflow calls, with their pages, their token and their limit. */
async function startGitHub() {
  const comments: Comment[] = []
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.headers.authorization !== `Bearer ${JOB_TOKEN}`) return answer(401, { message: 'Bad credentials' })
    const url = new URL(request.url!, 'http://github.example')
    const route = `${request.method} ${url.pathname}`
    const issues = `/repos/${REPOSITORY}/issues`
    if (route === `GET ${issues}/${PULL_REQUEST}/comments`) {
      const [size, page] = [Number(url.searchParams.get('per_page') ?? 30), Number(url.searchParams.get('page') ?? 1)]
      return answer(200, comments.slice((page - 1) * size, page * size))
    }
    const { body } = (await json(request)) as { body: string }
    if (typeof body !== 'string' || body.length > 65_536) return answer(422, { message: 'Validation Failed' })
    if (route === `POST ${issues}/${PULL_REQUEST}/comments`) {
      comments.push({ id: comments.length + 1, user: { login: 'github-actions[bot]' }, body })
      return answer(201, comments.at(-1))
    }
    const changed = comments.find(({ id }) => route === `PATCH ${issues}/comments/${id}`)
    if (!changed) return answer(404, { message: 'Not Found' })
    changed.body = body
    return answer(200, changed)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { comments, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('the workflow that comments a plan on a pull request', () => {
  let overture: Overture
  let github: Awaited<ReturnType<typeof startGitHub>>
  let folder: string
  let contexts: Record<string, unknown>
  before(async () => {
    overture = await startOverture()
    github = await startGitHub()
    await makeProvider(overture, { fromEmail: 'ada@overture.example' })
    const reader = await overture.withScopes(['campaigns:read', 'providers:read'])
    folder = mkdtempSync(join(tmpdir(), 'overture-workflow-'))
    mkdirSync(join(folder, 'work/campaigns'), { recursive: true })
    mkdirSync(join(folder, 'temp'))
    // The files of the two checkouts.
    symlinkSync(ROOT, join(folder, 'work/.overture-cli'))
    copyFileSync(join(EXAMPLES, 'campaign.yaml'), join(folder, 'work/campaigns/spring.yaml'))
    contexts = {
      vars: {
        OVERTURE_REPOSITORY: 'acme/overture',
        OVERTURE_REF: 'v0.1.0',
        OVERTURE_URL: overture.baseUrl,
        OVERTURE_WORKSPACE: overture.workspaceId,
      },
      secrets: { OVERTURE_TOKEN: reader.token },
      github: {
        token: JOB_TOKEN,
        repository: REPOSITORY,
        event: { pull_request: { number: PULL_REQUEST, head: { repo: { full_name: REPOSITORY } } } },
      },
    }
  })
  after(() => {
    github.server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A name that a context lacks is an empty text for GitHub, and a mistake here. */
  const contextOf = (name: string): unknown =>
    name.split('.').reduce((value, key) => {
      assert.ok(value && typeof value === 'object' && key in value, `there is no ${name}`)
      return (value as Record<string, unknown>)[key]
    }, contexts as unknown)
  const fill = (given: string) => given.replaceAll(/\$\{\{\s*([\w.]+)\s*\}\}/g, (_, name) => String(contextOf(name)))

  /** As GitHub's runner starts a step on Linux. */
  async function run({ run: script, env = {} }: Step): Promise<{ code: number | null; out: string }> {
    writeFileSync(join(folder, 'temp/step.sh'), script!)
    const child = spawn('bash', ['-e', join(folder, 'temp/step.sh')], {
      cwd: join(folder, 'work'),
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        HOME: folder,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_API_URL: github.url,
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_STEP_SUMMARY: join(folder, 'temp/summary.md'),
        RUNNER_TEMP: join(folder, 'temp'),
        ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, fill(value)])),
      },
    })
    const ended = new Promise<number | null>(resolve => child.on('close', resolve))
    return { out: await text(child.stdout), code: await ended }
  }

  it('pins actions by commit, uses only known keys, and puts no text of the pull request into a script', () => {
    for (const step of steps) {
      assert.ok(
        step.uses ? /^actions\/checkout@[0-9a-f]{40}$/.test(step.uses) : step.name,
        'an action by its commit, or a step with a name',
      )
      assert.ok(!step.run?.includes('${{'), 'a title such as `"; rm -rf` would run')
      for (const value of Object.values({ ...step.env, ...step.with })) assert.ok(!fill(String(value)).includes('${{'), String(value))
    }
    const [left, right] = workflow.jobs.plan!.if!.split(' == ')
    assert.equal(contextOf(left!), contextOf(right!))
    assert.deepEqual(workflow.permissions, { contents: 'read' })
    assert.deepEqual(workflow.jobs.plan!.permissions, { contents: 'read', 'pull-requests': 'write' })
  })

  it('comments the plan of every campaign once, and updates the comment', async () => {
    const ours = () => github.comments.filter(({ user, body }) => user.login.endsWith('[bot]') && body.includes('Campaign'))
    // Others have written enough for two pages, also what looks like ours.
    for (let id = 1; id <= 130; id++) github.comments.push({ id, user: { login: 'eve' }, body: '<!-- the plan of Overture -->\nApproved' })
    assert.deepEqual(await run(stepNamed('Plan every campaign')), { code: 0, out: '' })
    assert.equal((await run(stepNamed('Comment on the pull request'))).code, 0)
    assert.match(ours()[0]!.body, /^<!-- the plan of Overture -->\n### Campaign `Spring` is new\n/)
    assert.match(readFileSync(join(folder, 'temp/summary.md'), 'utf8'), /### Campaign `Spring` is new/)

    // More than a comment may hold.
    const variants = Array.from({ length: 2 }, () => ({ subject: 'Autumn', body: `\`\`\`\n${'Long. '.repeat(8000)}` }))
    const autumn = { campaign: { name: 'Autumn' }, sequence: [{ delayDays: 0, variants }] }
    writeFileSync(join(folder, 'work/campaigns/autumn.yaml'), stringify(autumn))
    await run(stepNamed('Plan every campaign'))
    assert.equal((await run(stepNamed('Comment on the pull request'))).code, 0)
    assert.equal(ours().length, 1)
    assert.match(ours()[0]!.body, /Campaign `Autumn` is new.*\n````\n\n\.\.\. The summary of the run has the rest\.$/s)
    assert.equal(github.comments.filter(({ user }) => user.login === 'eve').length, 130)
    assert.ok(github.comments.every(({ user, body }) => user.login !== 'eve' || body.endsWith('Approved')))
  })

  it('fails for a campaign that cannot be planned, and comments the plans of the others', full, async () => {
    writeFileSync(join(folder, 'work/campaigns/autumn.yaml'), 'campaign: {}\n')
    assert.equal((await run(stepNamed('Plan every campaign'))).code, 1)
    assert.match(stepNamed('Comment on the pull request').if!, /!cancelled\(\)/)
    assert.equal((await run(stepNamed('Comment on the pull request'))).code, 0)
    const { body } = github.comments.at(-1)!
    assert.match(body, /### `campaigns\/autumn\.yaml` cannot be planned/)
    assert.match(body, /### Campaign `Spring` is new/)
    rmSync(join(folder, 'work/campaigns/spring.yaml'))
    assert.equal((await run(stepNamed('Rehearse every campaign'))).code, 1)
  })

  it('reports that the last campaign was deleted', async () => {
    rmSync(join(folder, 'work/campaigns'), { recursive: true })
    for (const name of ['Rehearse every campaign', 'Plan every campaign', 'Comment on the pull request'])
      assert.equal((await run(stepNamed(name))).code, 0, name)
    assert.match(github.comments.at(-1)!.body, /No campaign is left to plan\.$/)
  })

  it('fails if the token of the job may not comment', async () => {
    const step = stepNamed('Comment on the pull request')
    assert.equal((await run({ ...step, env: { ...step.env, GITHUB_TOKEN: 'wrong' } })).code, 1)
  })
})
