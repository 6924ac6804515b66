terraform {
  experiments = ["foo", 12]
}
