/** In code points, as the domain counts. Its own files would bring its validator along, so a test compares the numbers. */
export const lengths = { password: { min: 8, max: 256 }, name: { max: 200 }, label: { max: 60 } } as const
