// What the page knows of the catalogue: what queries are held against. The build puts it in.
import catalogue from 'compact-catalogue'

export { catalogue }
