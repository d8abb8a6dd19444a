"""Ingestion: extract, give texts their vectors, plan the rows, write them as one record."""
