/** Saves what an endpoint answers as a file: a plain link could not send the header that proves where the page is from. */
export async function saveResponse(response: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await response.blob())
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
