locals {
  unformatted   =   1
  b = 2
}
