"""Signing in without a password (OAuth 2.0): in the browser, or with a code on another device."""
