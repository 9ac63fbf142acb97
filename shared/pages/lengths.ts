/** In code points, as in the domain, whose files would bring its validator along. A test compares the numbers. */
export const lengths = { password: { min: 8, max: 256 }, name: { max: 200 }, label: { max: 60 } } as const
