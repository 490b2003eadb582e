"""Text as people read it: folded, cut into words of any script, told apart, compared.

Everything here is a function of texts to plain values; what it knows about languages stands in
`lexicons/*.toml`, one file a language (docs/languages.md).
"""
