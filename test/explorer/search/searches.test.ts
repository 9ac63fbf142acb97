// What people look for, in their own words, and the module that they need.
import { expect, test } from 'vitest'
import { indexWords, searchFor } from '../../../explorer/client/search/by-words.ts'
import { listResults } from '../../../explorer/client/search/rows.ts'
import { entries } from './searched.ts'

const index = indexWords(entries)
const rowsOf = (typed: string) => listResults(searchFor(typed, entries, index), new Set()).rows

test.each([
  ['page size', 'info'],
  ['size of a page', 'info'],
  ['what links here', 'backlinks'],
  ['links to a page', 'links'],
  ['who edited', 'contributors'],
  ['who edited this page', 'contributors'],
  ['pages in a category', 'categorymembers'],
  ['category members', 'categorymembers'],
  ['random page', 'random'],
  ['full text', 'search'],
  ['full text search', 'search'],
  ['image url', 'imageinfo'],
  ['url of a file', 'imageinfo'],
  ['other languages', 'langlinks'],
  ['page in other languages', 'langlinks'],
  ['last edit', 'info'],
  ['last edit of a page', 'revisions'],
  ['page content', 'revisions'],
  ['content of a page', 'revisions'],
  ['page text', 'revisions'],
  ['page history', 'revisions'],
  ['wikitext of a page', 'revisions'],
  ['categories of a page', 'categories'],
  ['subcategories of a category', 'categorymembers'],
  ['how many pages in category', 'categoryinfo'],
  ['images on a page', 'images'],
  ['pages that use an image', 'imageusage'],
  ['where is a file used', 'fileusage'],
  ['template usage', 'embeddedin'],
  ['where is a template used', 'embeddedin'],
  ['templates used on a page', 'templates'],
  ['external links', 'extlinks'],
  ['pages linking to a website', 'exturlusage'],
  ['user contributions', 'usercontribs'],
  ['edits of a user', 'usercontribs'],
  ['user edit count', 'users'],
  ['when did a user register', 'users'],
  ['list of admins', 'allusers'],
  ['users by group', 'allusers'],
  ['recent changes', 'recentchanges'],
  ['latest edits', 'recentchanges'],
  ['new pages', 'recentchanges'],
  ['deleted pages log', 'logevents'],
  ['block log', 'logevents'],
  ['blocked users', 'blocks'],
  ['who is blocked', 'blocks'],
  ['all pages', 'allpages'],
  ['redirects to a page', 'redirects'],
  ['page protection', 'info'],
  ['protected titles', 'protectedtitles'],
  ['orphaned pages', 'querypage'],
  ['broken redirects', 'querypage'],
  ['my watchlist', 'watchlist'],
  ['my rights', 'userinfo'],
  ['csrf token', 'tokens'],
  ['wiki statistics', 'siteinfo'],
  ['list of namespaces', 'siteinfo'],
  ['title autocomplete', 'prefixsearch'],
  ['duplicate files', 'duplicatefiles'],
  ['wikidata item', 'pageprops'],
  ['uploaded files', 'allimages'],
  ['interface messages', 'allmessages'],
])('"%s" finds %s among the first three', (typed, module) => {
  const first = rowsOf(typed).slice(0, 3)
  expect(first.map(({ href }) => href?.replace(/^.*query\+|#.*$/g, ''))).toContain(module)
})

test('every word must stand somewhere', () => {
  expect(rowsOf('category unicorns')).toEqual([])
  expect(rowsOf('what is the')).toEqual([])
})

test('the names of the query as a whole are found, at their place in the index', () => {
  expect(rowsOf('formatversion')).toMatchObject([{ href: '/catalogue/explore#name-formatversion' }])
})
