/**
 * The load that `EXPECTED_ACCOUNTS` stands for: how often accounts send which request. Each row of the route table states
 * its own part in `perMonth`.
 */

/** Seconds in a month of 30 days. */
const month = 30 * 24 * 60 * 60

/** The busiest hour against the mean: most people of one time zone log in during the same few hours of a day. */
const peak = 5

/** A throttle against the busiest hour: for a launch, a campaign, or clients that all come back after an outage. */
const reserve = 10

/** Requests per second in the busiest hour, if each account sends `perMonth` of them. */
export const busiest = (accounts: number, perMonth: number): number => (accounts * perMonth * peak) / month

/** Requests per second for which there is a reserve. */
export const withReserve = (accounts: number, perMonth: number): number => busiest(accounts, perMonth) * reserve
