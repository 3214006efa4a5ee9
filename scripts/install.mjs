// Installs missing packages, on any Node of the machine. The packages of the service are one part, those of its tests
// another, so that a plain start does not wait for compilers and linters.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const read = file => JSON.parse(readFileSync(file, 'utf8'))

/** The packages and their versions. npm omits the lockfile from a release, whose package.json also names versions and which needs no tools. */
function wantedIn(root, withTools) {
  if (isRelease(root)) {
    const { dependencies } = read(join(root, 'package.json'))
    return Object.entries(dependencies).map(([name, version]) => [`node_modules/${name}`, version])
  }
  return Object.entries(read(join(root, 'package-lock.json')).packages)
    .filter(([path, entry]) => path !== '' && !entry.optional && (withTools || !entry.dev))
    .map(([path, { version }]) => [path, version])
}

const isRelease = root => !existsSync(join(root, 'package-lock.json'))

/** True if every required package is installed in its version. */
function isInstalled(root, withTools) {
  if (!existsSync(join(root, 'node_modules/node/bin/node')) || !existsSync(join(root, 'node_modules/.package-lock.json'))) return false
  const present = read(join(root, 'node_modules/.package-lock.json')).packages
  return wantedIn(root, withTools).every(([path, version]) => present[path]?.version === version)
}

/** The arguments for npm; null if there is nothing to do. */
export function planInstall(root, command) {
  const withTools = command === 'test' || command === 'check'
  if (isInstalled(root, withTools)) return null
  // `npm ci` first deletes everything, even under a running server. If only the tools are missing, they are added.
  if (withTools && isInstalled(root, false)) return ['install', '--no-save', '--include=dev', '--prefer-offline']
  if (isRelease(root)) return ['install', '--no-package-lock', '--omit=dev']
  return ['ci', withTools ? '--include=dev' : '--omit=dev']
}

export async function installMissing(root, command) {
  const plan = planInstall(root, command)
  if (!plan) return
  // On standard error, because the output may be read by a program or written to a file.
  console.error(`Installing ${plan.includes('--omit=dev') ? 'what Overture needs to run' : 'what its tests need'} (once) ...`)
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const status = await runToEnd(npm[0], [...npm.slice(1), ...plan, '--no-audit', '--no-fund', '--loglevel=error'], root)
  if (status !== 0) {
    console.error(`The installation failed. \`npm ${plan.join(' ')}\` shows why.`)
    process.exit(status ?? 1)
  }
  removeHeaders(root)
}

/**
 * On Ctrl-C, npm undoes an installation for up to 20 seconds. That is not needed: the next start finds an incomplete installation, and
 * repeats it. npm and its scripts are a process group, so that they end together.
 */
function runToEnd(program, args, cwd) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 2, 2], detached: true })
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.once(signal, () => {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
      console.error('The installation was interrupted. The next start repeats it.')
      process.exit(code)
    })
  }
  return new Promise(resolve => {
    child.on('error', () => resolve(1))
    child.on('close', status => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal)
      resolve(status)
    })
  })
}

/** The Node package contains 67 MB of headers for compilers, which are not needed here. */
export function removeHeaders(root) {
  const packages = join(root, 'node_modules/node/node_modules')
  if (!existsSync(packages)) return
  for (const { name } of readdirSync(packages, { withFileTypes: true }).filter(entry => entry.isDirectory())) {
    rmSync(join(packages, name, 'include'), { recursive: true, force: true })
  }
}
