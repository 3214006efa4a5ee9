import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutLoaders } from './html.ts'

const NAMES = ['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'portal', 'fencedframe', 'link', 'meta', 'base']

test('elements that load before the policy applies are removed, however they are written', () => {
  for (const name of NAMES) {
    for (const tag of [
      `<${name} src="https://evil.example/">`,
      `<${name.toUpperCase()}\n\tHREF=//evil.example>`,
      `<${name}/src=https://evil.example>`,
      `<${name}>`,
      `<${name} data='https://evil.example'`,
      `<${name.slice(0, 2)}<${name}>${name.slice(2)} src="https://evil.example">`,
      `<<${name}>${name} src="https://evil.example">`,
      `</${name}>`,
      `<!-- <${name} href="https://evil.example"> -->`,
      `<svg><${name} href="https://evil.example"/></svg>`,
    ]) {
      const html = withoutLoaders(`<p>Hi</p>${tag}`)
      assert.doesNotMatch(html, new RegExp(`</?${name}(?![^\\s/>])`, 'i'), tag)
      assert.ok(html.startsWith('<p>Hi</p>'), tag)
    }
  }
})

test('everything else in a message stays unchanged', () => {
  for (const html of [
    '<p>See <a href="https://a.example/link?iframe=1">the link</a>, 1 < 2 & <b>base</b></p>',
    '<linked>x</linked><based-on>y</based-on><img alt="<3" src="cid:1"><header>z</header>',
  ])
    assert.equal(withoutLoaders(html), html)
})
