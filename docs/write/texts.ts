import { document } from '../../test/support/api/openapi.ts'
import { floodTable, runbookTable } from './alarms.ts'
import { claimTable } from './claims.ts'
import { coldStartTable } from './cold-starts.ts'
import { commandTable } from './commands.ts'
import { corsTable } from './cors.ts'
import { costTables, priceList, regionList } from './costs.ts'
import { answerExamples, bodyList, catalogueTable, endpointTable, pageTable } from './endpoints.ts'
import { errorTable } from './errors.ts'
import { eventList, outboundTable } from './inventory.ts'
import { localSettings, serviceSettings } from './settings.ts'

/** Every text, by the name of its markers. Importing this reads the bundles. */
export const texts: Record<string, string> = {
  endpoints: endpointTable(document),
  pages: pageTable(),
  catalogue: catalogueTable(),
  bodies: bodyList(),
  answers: answerExamples(document),
  errors: errorTable(),
  cors: corsTable(),
  claims: claimTable(),
  settings: serviceSettings(),
  'local-settings': localSettings(),
  commands: commandTable(),
  runbooks: runbookTable(),
  floods: floodTable(),
  events: eventList(),
  outbound: outboundTable(),
  'cold-starts': coldStartTable(),
  prices: priceList(),
  regions: regionList(),
  ...(await costTables()),
}
