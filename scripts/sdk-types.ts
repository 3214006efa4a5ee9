import { readFile, writeFile } from 'node:fs/promises'
import { printApi } from './sdk-types/print-api.ts'
import { printModels } from './sdk-types/print-models.ts'
import type { Document } from './sdk-types/schema-types.ts'

/** Writes the types and the methods of the SDK from openapi.json: `node scripts/sdk-types.ts`. */

export async function generateSdk(): Promise<Record<string, string>> {
  const document = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8')) as Document
  return { 'types.gen.ts': printModels(document), 'api.gen.ts': printApi(document) }
}

export const generatedFile = (name: string): URL => new URL(`../packages/sdk/src/${name}`, import.meta.url)

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generateSdk())) await writeFile(generatedFile(name), text)
}
