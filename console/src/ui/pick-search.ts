/** For `validateSearch` of a route: these parameters, if they are texts, and no others. */
export const pickSearch =
  <Key extends string>(...keys: Key[]) =>
  (search: Record<string, unknown>): { [Name in Key]?: string | undefined } =>
    Object.fromEntries(keys.flatMap(key => (search[key] === undefined || search[key] === '' ? [] : [[key, String(search[key])]]))) as {
      [Name in Key]?: string
    }
