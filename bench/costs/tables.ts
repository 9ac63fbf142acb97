import { attackTable } from './attack.ts'
import type { Journeys } from './journeys.ts'
import { fixedTable, monthTable, priceTable, totalTable, usageTable } from './monthly.ts'
import { quotaTable } from './quotas.ts'

/** The tables of costs and quotas in `docs/deploy.md`, as text. */
export const guideTables = (journeys: Journeys): Record<string, string> => ({
  usage: usageTable(journeys),
  prices: priceTable(journeys),
  month: monthTable(journeys),
  fixed: fixedTable(),
  total: totalTable(journeys),
  attack: attackTable(journeys),
  quotas: quotaTable(journeys),
})
