/** The specification's MessageResponse. */
export const message = (text: string) => ({ message: text, success: true })
