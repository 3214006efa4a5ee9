/** The page at `/` while there is no console. */
export const LANDING_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Overture</title>
<style>:root{color-scheme:light dark}body{font:17px/1.6 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.5rem}h1{font-size:2.4rem;margin:0}a{color:inherit;text-decoration-color:#c2410c}code{font:.9em ui-monospace,monospace}</style></head>
<body><h1>Overture</h1><p>Outreach over an API: leads, sequences, schedules, and mail that is never sent twice.</p>
<ul><li><a href="/docs">API reference</a></li><li><a href="/openapi.json">OpenAPI document</a></li><li><a href="/readyz">Readiness</a> and <a href="/metrics">metrics</a> of this process</li></ul>
<p>A local start writes address and tokens to <code>.overture/local.json</code>.</p></body></html>`
