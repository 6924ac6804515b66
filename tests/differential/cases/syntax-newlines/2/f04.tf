variable "e" { validation {} }
