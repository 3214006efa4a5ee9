/**
 * A limit that only ends what hangs. Tests run next to other load, where everything takes longer: for them, such limits are a multiple, except in the
 * tests of the limits themselves.
 */
export const patient = (limit: number): number => limit * Number(process.env.OVERTURE_TEST_PATIENCE ?? 1)
