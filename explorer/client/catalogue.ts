// The compact catalogue that queries are checked against. The build inlines it.
import catalogue from 'compact-catalogue'

export { catalogue }
