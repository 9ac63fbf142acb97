// Searches in people's own words, with modules of which one is meant.
import { describe, expect, test } from 'vitest'
import { indexWords, searchFor } from '../../../../catalogue/explorer/client/search/by-words.ts'
import { listResults } from '../../../../catalogue/explorer/client/search/rows.ts'
import people from '../../../../catalogue/words/people.json' with { type: 'json' }
import { knowledge } from '../../../support/catalogue/validate.ts'
import { entries, extensions, sentences } from './searched.ts'

const index = indexWords(entries, sentences)
const rowsOf = (typed: string) => listResults(searchFor(typed, entries, index), new Set(), sentences).rows
const found = (typed: string): (string | undefined)[] =>
  rowsOf(typed).map(({ match, href }) => /query\+(\w+)/.exec(href ?? '')?.[1] ?? match.text)

/** Phrases by the modules that they mean. */
const asked: Record<string, string> = {
  info: 'page size, size of a page, last edit, page protection, page id from title, who is watching, does an article exist',
  backlinks: 'what links here',
  links: 'links to a page, outgoing links, what an article links to',
  contributors: 'who edited, who edited this page, authors of an article, who worked on an article, writers of a page',
  categorymembers:
    'pages in a category, category members, subcategories of a category, articles in category, everything inside a category, subcategories of a topic',
  random: 'random page, random article, any article by chance, surprise me with a page',
  search: 'full text, full text search, search for words, look up a keyword, find text in articles',
  imageinfo:
    'image url, url of a file, image license, who uploaded a file, download address of a photo, copyright of an image',
  langlinks:
    'other languages, page in other languages, translations of an article, german version of an article, translation of a page',
  revisions:
    'last edit of a page, page content, content of a page, page text, page history, wikitext of a page, diff between revisions, old versions, wikitext of an article, source code of an article, previous versions of a page',
  categories: 'categories of a page, which categories does an article belong to, topics of an article',
  categoryinfo: 'how many pages in category, how many articles are in a category',
  images: 'images on a page, pictures in an article, all photos on a page',
  imageusage: 'pages that use an image',
  fileusage: 'where is a file used',
  embeddedin: 'template usage, where is a template used',
  templates: 'templates used on a page',
  extlinks: 'external links, urls mentioned on a page, references to websites in an article',
  exturlusage: 'pages linking to a website, which articles cite a website, find links to a domain',
  usercontribs:
    'user contributions, edits of a user, everything a person edited, my own edits, contributions of an ip address',
  users:
    'user edit count, when did a user register, how many edits has somebody made, when did a user sign up, is somebody an admin',
  allusers: 'list of admins, users by group, everyone who has an account, find all administrators',
  recentchanges:
    'recent changes, latest edits, new pages, recent changes without bots, new articles, what happened today, live feed of edits',
  logevents: 'deleted pages log, block log, who protected a page, who deleted a page, history of page moves',
  blocks: 'blocked users, who is blocked, list of blocked ip addresses',
  allpages: 'all pages, subpages, every page on the wiki, list of all article titles',
  redirects: 'redirects to a page, other names for an article',
  protectedtitles: 'protected titles, pages that may not be created',
  querypage: 'orphaned pages, broken redirects, pages nobody links to',
  filerepoinfo: 'where are the images hosted',
  authmanagerinfo: 'how do I log in with the API',
  watchlist: 'my watchlist',
  userinfo: 'my rights, who am i logged in as',
  tokens: 'csrf token, token for editing, edit token, csrf, token to save a page',
  siteinfo: 'wiki statistics, list of namespaces, number of articles on the wiki, which extensions are installed',
  prefixsearch: 'title autocomplete, autocomplete a title, suggestions as you type',
  duplicatefiles: 'duplicate files, same picture uploaded twice, identical images',
  pageprops: 'wikidata item',
  allimages: 'uploaded files, all uploads by one person, newest photos on the wiki',
  allmessages: 'interface messages',
  pageviews: 'page views',
  extracts: 'extract intro text',
  coordinates: 'coordinates',
  'backlinks linkshere': 'pages that link to this page, which pages point here, who links to my article',
  'users userinfo': 'user rights',
  'contributors revisions': 'who wrote this',
  'allpages prefixsearch': 'titles starting with, articles whose name begins with Ber',
  'deletedrevisions alldeletedrevisions': 'deleted edits',
  'blocks users': 'is this person banned',
  'embeddedin transcludedin': 'where is a template used, articles that have this infobox',
  filearchive: 'deleted pictures, removed files',
  'imageusage fileusage': 'articles showing a picture, where does an image appear',
  'watchlist watchlistraw': 'changes to pages I follow',
  'info revisions': 'when was a page last changed',
}

/** Phrases from before the words were chosen, so no word was chosen for them. */
const unseen: Record<string, string> = {
  categorymembers: 'how to get the list of pages in a wikipedia category, get all subcategories of a category',
  allcategories: 'get a list of all categories, category names starting with a letter',
  random: 'get random wikipedia articles',
  revisions: 'get the plain wikitext of a page, get revision history of a page',
  'revisions info': 'when was an article created',
  'revisions contributors info': 'number of revisions of an article',
  extlinks: 'get all external urls in a wikipedia page',
  links: 'get all internal links of a page',
  'backlinks linkshere': 'number of pages linking to an article',
  imageinfo: 'get image url from file name, get thumbnail of an image, license and author of a photo',
  images: 'get all image names in an article',
  info: 'how to check if a page exists, get the page id of a title, is an article protected from editing, how many people watch a page',
  'info revisions': 'last modified date of a page',
  langlinks: 'link to the same article in other languages',
  'info redirects': 'find out if a page is a redirect',
  redirects: 'list all redirects to an article',
  pageprops: 'wikidata item for a wikipedia page',
  'pageprops pageswithprop querypage': 'disambiguation pages',
  search: 'search wikipedia by keyword, how many results does a search have',
  prefixsearch: 'search box with type ahead',
  usercontribs: 'list of edits made by a user, last contribution of a user',
  users: 'edit count of a user, does a username already exist, which groups is a user in',
  allusers: 'list of all bots, users ordered alphabetically',
  recentchanges: 'most recent edits on wikipedia, monitor new pages in real time',
  logevents: 'log of uploads, who renamed a page',
  'logevents blocks users': 'when was a user blocked',
  blocks: 'currently blocked users',
  templates: 'templates used on a page',
  'embeddedin transcludedin': 'find all pages using a certain template',
  exturlusage: 'get all pages linking to an external site',
  allimages: 'all files uploaded by a user, images larger than one megabyte',
  duplicatefiles: 'get duplicates of a file',
  tokens: 'get edit token, login token',
  siteinfo: 'list of namespaces and their numbers, mediawiki version of a site, total number of users',
  userinfo: 'am i logged in, check unread notifications and messages',
  'watchlistraw watchlist': 'pages I am watching',
  categories: 'categories of an article',
  contributors: "list of an article's editors",
  querypage: 'orphaned pages',
  'deletedrevisions deletedrevs alldeletedrevisions': 'deleted text of a page',
}

const phrasesOf = (asked: Record<string, string>) =>
  Object.entries(asked).flatMap(([modules, phrases]) => phrases.split(', ').map(typed => [typed, modules] as const))
const isFound = ([typed, modules]: readonly [string, string]): boolean =>
  found(typed)
    .slice(0, 3)
    .some(name => modules.split(' ').includes(name ?? ''))

test.each(phrasesOf(asked))('"%s" finds %s among the first three', (...phrase) => {
  expect(isFound(phrase), found(phrase[0]).slice(0, 3).join()).toBe(true)
})

test('of phrases that the words were not chosen for, at most one in ten misses', () => {
  const phrases = phrasesOf(unseen)
  const missed = phrases.filter(phrase => !isFound(phrase)).map(([typed]) => typed)
  expect(phrases).toHaveLength(60)
  expect(missed.length, missed.join()).toBeLessThanOrEqual(6)
})

test.each([
  ['who protected a page', 'logevents'],
  ['pages that link to this page', 'backlinks'],
  ['pages in a category', 'categorymembers'],
  ['page history', 'revisions'],
  ['edits of a user', 'usercontribs'],
  ['user rights', 'users'],
  ['subpages', 'allpages'],
  ['token for editing', 'tokens'],
])('"%s" finds %s first', (typed, module) => {
  expect(found(typed)[0]).toBe(module)
})

describe('words', () => {
  test('that nobody uses do not hide what the others find', () => {
    expect(found('category of unicorns')).toEqual(found('of a category'))
    expect(found('unicorns')).toEqual([])
    expect(found('what is the')).toEqual([])
  })

  test('are found by their stem, by their beginning and with a typing error', () => {
    for (const typed of ['deletions of images', 'deleted imag', 'deleted picutres'])
      expect(found(typed)[0]).toBe('filearchive')
  })

  test('say by which phrase a module was found', () => {
    expect(rowsOf('how do I see who wrote this page')[0]?.why).toBe('prop module, for “who wrote”')
  })

  test('of an extension lead to its name, and to what the catalogue does not describe', () => {
    expect(rowsOf('views of a page')[0]).toMatchObject({
      match: { text: 'pageviews' },
      why: 'of the extension PageViewInfo: not in this catalogue, for “views of page”',
      href: '/catalogue/explore#not-described',
    })
  })

  test('are there for every module, in the catalogue’s order, and for no other', () => {
    expect(Object.keys(people.modules)).toEqual([...knowledge.modules.keys()])
    for (const name of Object.keys(people.extensions)) expect(extensions.has(name), name).toBe(true)
    const parameters = new Set([...knowledge.wires.values()].map(({ parameter }) => parameter.name))
    for (const { names } of people.parameters)
      for (const name of names.split(' ')) expect(parameters.has(name), name).toBe(true)
  })
})

test('the names of the query as a whole are found, where the index has them', () => {
  expect(rowsOf('formatversion')).toMatchObject([{ href: '/catalogue/explore#name-formatversion' }])
})
