locals { /* unterminated
  a = 1
}
